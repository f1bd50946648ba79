------------------------------- MODULE Create -------------------------------
(* How one declared webhook is created by a POST that the service does not   *)
(* make idempotent, over lost answers, kills, late requests and stale lists. *)
(* docs/explanation/exactly-once.md explains it; README.md says how to check *)
(* it. Independent of src: traces.test.ts compares what both do.             *)
EXTENDS Naturals, Sequences, FiniteSets, TLC

CONSTANTS
  Marks,      \* creates carry a mark in their URL
  Unique,     \* the service allows one webhook per URL
  Troubles,   \* how many faults, kills and acts of somebody else a history may have
  Mutant      \* "none", or one protective step to leave out

VARIABLES
  hooks,      \* all webhooks ever made; its place is the id of each
  before,     \* the live ids before the last change: what a stale list shows
  soon, late, \* marks of requests that land within the listing delay, or long after it
  rec, dep,   \* state: the recorded id (0: none), and older ids to delete
  open,       \* journal: the intent without an outcome, or None. Its mark, the ids that were listed before it, and the last id that is older
  lost,       \* state: creates that were given up, and recorded webhooks that a list lacked
  used,       \* the number of marks that were made
  pc, seen,   \* of the run: its next step, and the ids that its last list showed
  round,      \* how often the run has sent the create again
  exits,      \* the exit code of each run; 9: killed
  changed,    \* whether the last run sent or stored anything
  deleted,    \* all ids that the tool has deleted
  reported,   \* unmanaged ids that the last run named
  beyond,     \* what went beyond the assumptions: "late": a request landed, or a list was stale, after the listing delay;
              \* "missing": so that a recorded webhook was created again
  left,       \* the troubles that are left
  hist        \* the history, for traces
tool == <<rec, dep, open, lost>>
service == <<hooks, before, soon, late>>
vars == <<service, tool, used, pc, seen, round, exits, changed, deleted, reported, beyond, left, hist>>
exit == IF exits = <<>> THEN 9 ELSE exits[Len(exits)]
\* Histories that lead to the same state are checked once.
view == <<service, tool, used, pc, seen, round, exit, changed, deleted, reported, beyond, left>>

None == [mark |-> 0, pre |-> {}, since |-> 0, is |-> FALSE]
Live == {i \in DOMAIN hooks : hooks[i].live}
LiveIn(h) == {i \in DOMAIN h : h[i].live}
Ours(ids) == {i \in ids : hooks[i].by = "us"}
Managed == dep \union {rec}
Oldest(ids) == CHOOSE i \in ids : \A j \in ids : i <= j
Note(event) == hist' = Append(hist, event)

----------------------------------------------------------------------------
(* The service *)

\* What the creates with these marks make, one after the other: the webhooks, and the live ids before the last change.
RECURSIVE Landed(_, _, _)
Landed(h, b, marks) ==
  IF marks = <<>> THEN [hooks |-> h, before |-> b]
  ELSE LET mark == Head(marks)
           taken == Unique /\ \E i \in LiveIn(h) : h[i].mark = mark
           made == [by |-> "us", mark |-> mark, same |-> TRUE, live |-> TRUE]
       IN IF taken THEN Landed(h, b, Tail(marks)) ELSE Landed(Append(h, made), LiveIn(h), Tail(marks))
Land(marks) == LET l == Landed(hooks, before, marks) IN hooks' = l.hooks /\ before' = l.before

\* Long after: every request that is under way is carried out.
Settle ==
  /\ pc = "idle" /\ soon \o late # <<>>
  /\ Land(soon \o late) /\ soon' = <<>> /\ late' = <<>>
  /\ changed' = TRUE /\ Note("settle")
  /\ beyond' = IF late = <<>> THEN beyond ELSE beyond \union {"late"}
  /\ UNCHANGED <<tool, used, pc, seen, round, exits, deleted, reported, left>>

\* Somebody else makes an identical webhook, or copies a URL with its mark for another event type.
Other(kind) ==
  /\ pc = "idle" /\ left > 0 /\ left' = left - 1
  /\ \A i \in DOMAIN hooks : hooks[i].by = "us"
  /\ LET marked == {i \in Live : hooks[i].mark # 0}
         mark == IF kind = "identical" THEN 0 ELSE hooks[Oldest(marked)].mark
         exists == \E i \in Live : hooks[i].mark = mark
     IN /\ kind = "identical" \/ marked # {}
        /\ ~(Unique /\ exists)
        /\ hooks' = Append(hooks, [by |-> "other", mark |-> mark, same |-> kind # "copy", live |-> TRUE])
  /\ before' = Live /\ changed' = TRUE /\ Note(kind)
  /\ UNCHANGED <<soon, late, tool, used, pc, seen, round, exits, deleted, reported, beyond>>

----------------------------------------------------------------------------
(* The tool: what a list decides *)

Candidates(o, ids) ==
  IF Marks THEN {i \in ids \ Managed : hooks[i].mark = o.mark}
  ELSE {i \in ids \ Managed : hooks[i].same /\ i \notin o.pre}

\* "found", "none" or "unclear", with the ids to record and to delete.
Decision(o, ids) ==
  LET c == Candidates(o, ids)
      same == {i \in c : hooks[i].same}
  IN IF c = {} THEN [kind |-> "none"]
     ELSE IF same # {} /\ (Marks \/ (Cardinality(c) = 1 /\ Oldest(c) > o.since))
     THEN [kind |-> "found", id |-> Oldest(same), twins |-> {i \in same \ {Oldest(same)} : i > o.since}]
     ELSE [kind |-> "unclear"]

\* State and journal after a list has shown these ids, in front of what it decides about the open create.
Decided(ids) ==
  LET d == Decision(open, ids)
  IN IF ~open.is \/ d.kind = "unclear" THEN [rec |-> rec, dep |-> dep, lost |-> lost, open |-> open]
     ELSE IF d.kind = "none" THEN [rec |-> rec, dep |-> dep, open |-> None,
                                  lost |-> IF Mutant = "no record" THEN lost ELSE lost \union {[mark |-> open.mark, id |-> 0]}]
     ELSE [rec |-> d.id, dep |-> dep \union d.twins \union ({rec} \intersect ids), lost |-> lost, open |-> None]

\* The live webhooks that a given up create of ours has certainly made: a mark proves it. What was recorded before is not late.
Late(s, ids) ==
  IF Mutant = "resemblance" /\ s.lost # {} THEN {i \in ids : hooks[i].same} \ (s.dep \union {s.rec})
  ELSE IF ~Marks THEN {}
  ELSE {i \in ids : \E l \in s.lost : hooks[i].mark = l.mark /\ (l.id = i \/ (l.id = 0 /\ hooks[i].same /\ i \notin deleted))} \ (s.dep \union {s.rec})

WithLate(s, ids) ==
  LET own == Late(s, ids)
      first == IF s.rec = 0 /\ own # {} THEN Oldest(own) ELSE s.rec
      managed == s.dep \union {s.rec} \union own
  IN [s EXCEPT !.rec = first, !.dep = s.dep \union (own \ {first}), !.lost = {l \in s.lost : l.id \notin (ids \intersect managed)}]

\* Nothing is created next to an identical webhook that nothing manages.
Blocked(s, ids) == \E i \in ids \ (s.dep \union {s.rec}) : hooks[i].same

\* The unmanaged webhooks that a plan names, apart from those that it records: identical ones, and copies of the mark of a create that was given up.
Named(s, ids) == {i \in ids \ (s.dep \union {s.rec}) : hooks[i].same \/ \E l \in s.lost : Marks /\ l.id = 0 /\ l.mark = hooks[i].mark}

----------------------------------------------------------------------------
(* The tool: a run *)

Arrives == IF Mutant = "no delay" THEN <<>> ELSE soon

\* The list that a run reads once the listing delay is over. A stale one is a trouble.
Look(stale, h, b) == IF stale THEN b ELSE LiveIn(h)

Ends(code) == pc' = "idle" /\ exits' = Append(exits, code)

Plan(stale) ==
  /\ pc = "idle" /\ changed
  /\ LET arrived == Landed(hooks, before, Arrives)
     IN /\ hooks' = arrived.hooks /\ before' = arrived.before
        /\ soon' = IF Arrives = soon THEN <<>> ELSE soon
        /\ stale => left > 0 /\ soon = <<>> /\ before # Live
        /\ seen' = Look(stale, arrived.hooks, arrived.before)
  /\ left' = IF stale THEN left - 1 ELSE left
  /\ beyond' = IF stale THEN beyond \union {"late"} ELSE beyond
  /\ pc' = "decide" /\ round' = 0 /\ changed' = stale
  /\ Note(IF stale THEN "run stale" ELSE "run")
  /\ UNCHANGED <<late, tool, used, exits, deleted, reported>>

Decide ==
  /\ pc = "decide"
  /\ LET s == WithLate(Decided(seen), seen)
         missing == s.rec # 0 /\ s.rec \notin seen
         gone == [mark |-> IF s.rec = 0 THEN 0 ELSE hooks[s.rec].mark, id |-> s.rec]
         creates == ~s.open.is /\ (s.rec = 0 \/ missing)
         \* The service says that it does not exist, and the list shows it.
         unproven == (s.dep \ Live) \intersect seen
         blocked == creates /\ Blocked(s, seen)
     IN /\ reported' = Named(s, seen) \union ((s.dep \union {s.rec}) \ (Managed \union {0}))
        /\ IF blocked THEN Ends(1) /\ UNCHANGED <<tool, changed, hooks, before, deleted, beyond>>
           ELSE /\ rec' = s.rec /\ open' = s.open /\ dep' = unproven
                /\ lost' = IF missing THEN s.lost \union {gone} ELSE s.lost
                /\ hooks' = [i \in DOMAIN hooks |-> IF i \in s.dep THEN [hooks[i] EXCEPT !.live = FALSE] ELSE hooks[i]]
                /\ before' = IF s.dep \intersect Live = {} THEN before ELSE Live
                /\ deleted' = deleted \union s.dep
                /\ beyond' = IF missing THEN beyond \union {"missing"} ELSE beyond
                /\ changed' = (changed \/ creates \/ s # [rec |-> rec, dep |-> dep, lost |-> lost, open |-> open] \/ s.dep # {})
                /\ IF creates THEN pc' = "intend" /\ UNCHANGED exits ELSE Ends(IF s.open.is THEN 3 ELSE IF unproven # {} THEN 1 ELSE 0)
  /\ UNCHANGED <<soon, late, used, seen, round, left, hist>>

\* The intent is durable before anything is sent. A create that was given up keeps its mark.
Intend ==
  /\ pc = "intend"
  /\ LET recorded == deleted \union Managed \union {l.id : l \in lost}
         sent == {l \in lost : l.id = 0 /\ \A i \in DOMAIN hooks : hooks[i].mark = l.mark => i \notin recorded}
         old == IF sent = {} \/ Mutant = "fresh mark" THEN 0 ELSE (CHOOSE l \in sent : TRUE).mark
         mark == IF ~Marks THEN 0 ELSE IF old # 0 THEN old ELSE used + 1
     IN /\ open' = [mark |-> mark, pre |-> seen, since |-> Len(hooks), is |-> Mutant # "no intent"]
        /\ used' = IF mark > used THEN mark ELSE used
  /\ pc' = "send"
  /\ UNCHANGED <<service, rec, dep, lost, seen, round, exits, changed, deleted, reported, beyond, left, hist>>

Taken == Unique /\ \E i \in Live : hooks[i].mark = open.mark

Answered ==
  /\ pc = "send" /\ Note("well")
  /\ IF Taken THEN pc' = "conflict" /\ UNCHANGED <<hooks, before, rec, open, exits>>
     ELSE /\ Land(<<open.mark>>)
          /\ rec' = Len(hooks) + 1 /\ open' = None /\ Ends(0)
  /\ UNCHANGED <<soon, late, dep, lost, used, seen, round, changed, deleted, reported, beyond, left>>

\* A documented error, which is not believed before a list was read.
Refused ==
  /\ pc = "send" /\ left > 0 /\ left' = left - 1 /\ Note("refused")
  /\ pc' = "refused"
  /\ UNCHANGED <<service, tool, used, seen, round, exits, changed, deleted, reported, beyond>>

\* No answer: the connection is lost, or the process is killed.
Silent(killed, fate) ==
  /\ pc = "send" /\ left > 0 /\ left' = left - 1
  /\ Note((IF killed THEN "killed " ELSE "lost ") \o fate)
  /\ IF fate = "done" THEN Land(<<open.mark>>) ELSE UNCHANGED <<hooks, before>>
  /\ soon' = IF fate = "soon" THEN Append(soon, open.mark) ELSE soon
  /\ late' = IF fate = "late" THEN Append(late, open.mark) ELSE late
  /\ IF killed THEN Ends(9) ELSE IF round = 2 THEN Ends(3) ELSE pc' = "recover" /\ UNCHANGED exits
  /\ UNCHANGED <<tool, used, seen, round, changed, deleted, reported, beyond>>

\* The end of a run without an answer: it waits, reads the list, and records, sends again, or leaves the create open.
Recover(stale) ==
  /\ pc \in {"recover", "refused", "conflict"}
  /\ LET arrived == Landed(hooks, before, Arrives)
         ids == Look(stale, arrived.hooks, arrived.before)
     IN /\ hooks' = arrived.hooks /\ before' = arrived.before
        /\ soon' = IF Arrives = soon THEN <<>> ELSE soon
        /\ stale => left > 0 /\ soon = <<>> /\ before # Live
        /\ seen' = ids
  /\ left' = IF stale THEN left - 1 ELSE left
  /\ beyond' = IF stale THEN beyond \union {"late"} ELSE beyond
  /\ pc' = IF pc = "recover" THEN "resolve" ELSE "after " \o pc
  /\ hist' = IF stale THEN Append(hist, "look stale") ELSE hist
  /\ UNCHANGED <<late, tool, used, round, exits, changed, deleted, reported>>

Resolve ==
  /\ pc = "resolve"
  /\ LET s == Decided(seen)
     IN /\ rec' = s.rec /\ dep' = s.dep /\ lost' = s.lost /\ open' = s.open
        /\ IF s.open.is THEN Ends(3) /\ UNCHANGED round
           ELSE IF Decision(open, seen).kind = "none" /\ Blocked(s, seen) THEN Ends(1) /\ UNCHANGED round
           ELSE IF Decision(open, seen).kind = "none" THEN pc' = "intend" /\ round' = round + 1 /\ UNCHANGED exits
           ELSE Ends(0) /\ UNCHANGED round
  /\ UNCHANGED <<service, used, seen, changed, deleted, reported, beyond, left, hist>>

\* An earlier attempt may have made it. After a 409 only a mark can tell: without one, the webhook that has the URL is somebody's.
Rejected ==
  /\ pc \in {"after refused", "after conflict"}
  /\ LET conflict == pc = "after conflict"
         d == Decision(open, seen)
     IN IF d.kind = "found" /\ (Marks \/ ~conflict)
        THEN rec' = d.id /\ open' = None /\ Ends(0) /\ UNCHANGED <<lost, round>>
        ELSE IF Marks /\ conflict /\ round < 2 THEN pc' = "resolve" /\ UNCHANGED <<rec, open, lost, round, exits>>
        ELSE IF Marks /\ conflict THEN Ends(3) /\ UNCHANGED <<rec, open, lost, round>>
        ELSE open' = None /\ lost' = lost \union {[mark |-> open.mark, id |-> 0]} /\ Ends(1) /\ UNCHANGED <<rec, round>>
  /\ UNCHANGED <<service, dep, used, seen, changed, deleted, reported, beyond, left, hist>>

Init ==
  /\ hooks = <<>> /\ before = {} /\ soon = <<>> /\ late = <<>>
  /\ rec = 0 /\ dep = {} /\ open = None /\ lost = {} /\ used = 0
  /\ pc = "idle" /\ seen = {} /\ round = 0 /\ exits = <<>> /\ changed = TRUE
  /\ deleted = {} /\ reported = {} /\ beyond = {} /\ left = Troubles /\ hist = <<>>

Fates == {"dropped", "done", "soon", "late"}
Next ==
  \/ Settle
  \/ \E kind \in {"identical", IF Mutant = "exact copy" THEN "exact" ELSE "copy"} : Other(kind)
  \/ \E stale \in BOOLEAN : Plan(stale) \/ Recover(stale)
  \/ Decide \/ Intend \/ Answered \/ Refused \/ Resolve \/ Rejected
  \/ \E fate \in Fates : Silent(TRUE, fate) \/ Silent(FALSE, fate)

----------------------------------------------------------------------------
(* What must hold *)

\* Nothing is under way, and another run would do nothing else than the last one.
Rest == pc = "idle" /\ ~changed /\ soon \o late = <<>>

NothingOfOthers == \A i \in deleted : hooks[i].by = "us"
OneOrReported == Rest => \A i \in Ours(Live) : i \in Managed \/ i \in reported
NothingLost == Rest => Live # {} /\ (rec \in Live \/ exit # 0)
NobodyElse == \A i \in DOMAIN hooks : hooks[i].by = "us"
\* As long as nothing is later than the listing delay, not even for a moment are there two.
Timely == beyond = {} => Cardinality(Ours(Live)) <= 1 /\ (Rest /\ NobodyElse => Live = {rec})
\* With marks.
RecordIsOurs == rec # 0 => hooks[rec].by = "us"
NoUndecided == Rest => exit # 3 /\ (NobodyElse => exit = 0)
ExactlyOne == (Rest /\ exit = 0) => Ours(Live) = {rec}
\* With marks, where the service allows one webhook per URL: an equal create is refused.
OneAtATime == (Unique /\ "missing" \notin beyond) => Cardinality(Ours(Live)) <= 1

\* One line for each history: traces.json.
Trace == Rest => PrintT(ToString(<<hist, exits, Ours(Live), Live \ Ours(Live), rec, dep, reported \intersect (Live \ Managed), deleted>>))
=============================================================================
