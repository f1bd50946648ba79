/** The style of every page: light and dark, from 320 pixels on. */
export const PAGE_STYLE = `
:root{color-scheme:light dark;--page:#f4f5f7;--card:#fff;--line:#dcdfe5;--text:#1a1e26;--soft:#545e6d;--focus:#1d57b5;
--add:#146334;--add-tint:#e2f4e9;--del:#a9211a;--del-tint:#fdeae9;--chg:#7d4c00;--chg-tint:#fcf0da;--imp:#1b51a8;--imp-tint:#e5eefc;--off:#4c5665;--off-tint:#e9ecf0}
@media (prefers-color-scheme:dark){:root{--page:#0e1116;--card:#161a21;--line:#2b323d;--text:#e7eaef;--soft:#a3adbb;--focus:#8ab6ff;
--add:#6bdb98;--add-tint:#11301f;--del:#ff978f;--del-tint:#3b1716;--chg:#f3bd66;--chg-tint:#35270d;--imp:#8ab6ff;--imp-tint:#14274a;--off:#b3bcc8;--off-tint:#242b35}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--text);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;overflow-wrap:anywhere}
code,pre,.sym{font-family:ui-monospace,SFMono-Regular,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:.86em;unicode-bidi:isolate}
header,main,footer{max-width:1080px;margin:0 auto;padding:0 24px}
header{padding-top:40px}
h1{font-size:1.7rem;line-height:1.25;margin:0;letter-spacing:-.01em}
h2{font-size:1.15rem;margin:40px 0 12px;scroll-margin-top:12px}
h3{font-size:.95rem;margin:24px 0 8px}
h3 .count{color:var(--soft);font-weight:400}
.kicker{margin:0 0 4px;color:var(--soft);font-size:.85rem;font-weight:600}
.verdict{margin:8px 0 0;font-size:1.05rem}.verdict+.verdict{margin-top:2px;font-size:.95rem}
.refused{color:var(--del);font-weight:600}
nav{display:flex;flex-wrap:wrap;gap:4px 20px;margin:16px 0 0;font-size:.9rem}a{color:var(--imp)}
.counts{display:flex;flex-wrap:wrap;gap:8px;list-style:none;margin:20px 0 0;padding:0}
.counts li{display:flex;align-items:baseline;gap:8px;padding:8px 14px;border-radius:8px;font-size:.9rem}
.counts b{font-size:1.25rem;line-height:1.3;font-variant-numeric:tabular-nums}
.add{color:var(--add);background:var(--add-tint)}.del{color:var(--del);background:var(--del-tint)}.chg{color:var(--chg);background:var(--chg-tint)}
.imp{color:var(--imp);background:var(--imp-tint)}.off{color:var(--off);background:var(--off-tint)}
.card{background:var(--card);border:1px solid var(--line);border-radius:10px}
.message{margin:0 0 8px;padding:12px 16px;border-left-width:4px}
.message h3{margin:0 0 4px}.message h3 code{color:var(--soft);font-weight:400}.message p{margin:0 0 4px;white-space:pre-line}.message pre{margin:8px 0 0;white-space:pre-wrap}
.message.error{border-left-color:var(--del)}.message.warning{border-left-color:var(--chg)}.message.note{border-left-color:var(--imp)}
.where{color:var(--soft);font-size:.85rem}
:focus-visible{outline:2px solid var(--focus);outline-offset:2px}
.list{list-style:none;margin:0;padding:0;overflow:hidden}
.list>li{content-visibility:auto;contain-intrinsic-size:auto 46px}
.list>li+li{border-top:1px solid var(--line)}
summary,.row{display:flex;align-items:baseline;gap:12px;padding:10px 16px}
summary{cursor:pointer;list-style:none}
summary::-webkit-details-marker{display:none}
summary::after{content:"";flex:none;align-self:center;width:7px;height:7px;margin-left:auto;border:solid var(--soft);border-width:0 2px 2px 0;transform:rotate(45deg)}
details[open]>summary::after{transform:rotate(225deg)}
summary:hover{background:var(--page)}
summary:focus-visible{outline-offset:-2px}
.sym{flex:none;width:2.9em;padding:1px 0;border-radius:5px;text-align:center;font-weight:700}
.name{font-weight:600}
details[open] .hint{display:none}
.hint{flex:1 1 0;font-size:.88rem;min-width:0;color:var(--soft);text-align:right;white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
.body{padding:2px 16px 14px calc(28px + 2.5em)}
.body ul{margin:0 0 8px;padding:0;list-style:none;color:var(--soft);font-size:.9rem}
dl{display:grid;grid-template-columns:minmax(90px,max-content) minmax(0,1fr);gap:4px 20px;margin:0;font-size:.95rem}
.body pre{margin:0;white-space:pre-wrap}
dt{color:var(--soft)}dd{margin:0;min-width:0}
del,ins{text-decoration:none;padding:1px 4px;border-radius:4px}
del{color:var(--del);background:var(--del-tint)}ins{color:var(--add);background:var(--add-tint)}
.forces{display:block;margin-top:2px;color:var(--chg);font-size:.85rem}
.forces b{font-weight:600}
.scroll{width:fit-content;max-width:100%;overflow-x:auto}
table{border-collapse:separate;border-spacing:0;font-size:.85rem;font-variant-numeric:tabular-nums}
th,td{padding:6px 12px;border-bottom:1px solid var(--line);text-align:left;white-space:nowrap}
tbody tr:last-child>*{border-bottom:0}
thead th{vertical-align:bottom;font-weight:600}
tbody th,thead tr:first-child th:first-child{position:sticky;left:0;z-index:1;background:var(--card);font-weight:400;border-right:1px solid var(--line)}
.values td{white-space:normal}
footer{padding-top:32px;padding-bottom:48px;color:var(--soft);font-size:.85rem}
@media (max-width:640px){.counts li{padding:5px 10px}header,main,footer{padding-left:14px;padding-right:14px}header{padding-top:24px}h1{font-size:1.35rem}
summary{flex-wrap:wrap;gap:4px 10px;position:relative;padding-right:34px}summary::after{position:absolute;right:16px;top:18px}
.name{flex:1 1 0}.hint{flex:1 0 100%;text-align:left}.body{padding-left:16px}tbody th{min-width:42vw;max-width:42vw;white-space:normal}dl{grid-template-columns:minmax(72px,auto) minmax(0,1fr);gap:4px 12px;font-size:.9rem}}
@media print{summary::after{display:none}.list>li{content-visibility:visible}body{background:#fff}}
`;
