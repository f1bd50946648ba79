import {
  type Json,
  type Kept,
  NO_BYTES,
  type ProviderUnderTest,
  UNKNOWN,
  plain,
  said,
  value,
} from "../provider-under-test.ts";

const TYPE = "outreach_lead_unsubscription";
const COMPUTED: Json = { id: UNKNOWN, contact_id: UNKNOWN, is_paused: UNKNOWN, outcome: UNKNOWN };
const SETTINGS = ["on_not_found", "recheck", "reassert"];
const ABSENT: Json = {
  campaign_id: null,
  email: null,
  on_not_found: null,
  recheck: null,
  reassert: null,
  id: null,
  contact_id: null,
  is_paused: null,
  outcome: null,
};

/** A whole unsubscription with these attributes. */
export function unsubscription(attributes: Json): Json {
  return { ...ABSENT, ...attributes };
}

/** Terraform's calls for one unsubscription. */
export function unsubscriptionCalls({ rpc }: ProviderUnderTest) {
  async function plan(prior: Kept | null, config: Json) {
    const { state } = prior ?? { state: null };
    const computed = state ? Object.fromEntries(Object.keys(COMPUTED).map((name) => [name, state[name]])) : COMPUTED;
    const settings = Object.fromEntries(SETTINGS.map((name) => [name, state?.[name] ?? UNKNOWN]));
    const { plannedState, requiresReplace, plannedPrivate, diagnostics } = await rpc.planResourceChange({
      typeName: TYPE,
      priorState: value(state),
      proposedNewState: value(unsubscription({ ...computed, ...settings, ...config })),
      config: value(unsubscription(config)),
      priorPrivate: prior?.private ?? NO_BYTES,
      clientCapabilities: undefined,
    });
    const replaces = requiresReplace.map(({ steps }) =>
      steps.map(({ selector }) => Object.values(selector ?? {}).at(-1)).join("."),
    );
    return { planned: plain(plannedState), replaces, private: plannedPrivate, said: said(diagnostics) };
  }
  async function apply(prior: Kept | null, planned: Json | null, config: Json | null, plannedPrivate: Uint8Array) {
    const given = {
      priorState: value(prior?.state ?? null),
      plannedState: value(planned),
      config: value(config && unsubscription(config)),
    };
    const answer = await rpc.applyResourceChange({ typeName: TYPE, ...given, plannedPrivate });
    return {
      state: plain(answer.newState),
      private: answer.private,
      said: said(answer.diagnostics),
      diagnostics: answer.diagnostics,
    };
  }
  return {
    plan,
    /** Plans a new one, or a change that needs no replace, and applies it. */
    apply: async (prior: Kept | null, config: Json) => {
      const planned = await plan(prior, config);
      return apply(prior, planned.planned, config, planned.private);
    },
    /** Plans its destruction, and applies that. */
    destroy: async (kept: Kept) => {
      const given = {
        priorState: value(kept.state),
        proposedNewState: value(null),
        config: value(null),
        priorPrivate: kept.private,
      };
      const { diagnostics, plannedPrivate } = await rpc.planResourceChange({
        typeName: TYPE,
        ...given,
        clientCapabilities: undefined,
      });
      return { ...(await apply(kept, null, null, plannedPrivate)), planned: diagnostics };
    },
    read: async (kept: Kept): Promise<Kept> => {
      const answer = await rpc.readResource({
        typeName: TYPE,
        currentState: value(kept.state),
        private: kept.private,
        clientCapabilities: undefined,
      });
      return { state: plain(answer.newState), private: answer.private, said: said(answer.diagnostics) };
    },
    import: async (id: string) => {
      const { importedResources, diagnostics } = await rpc.importResourceState({
        typeName: TYPE,
        id,
        clientCapabilities: undefined,
      });
      const [imported] = importedResources;
      return {
        state: imported ? plain(imported.state) : null,
        private: imported?.private ?? NO_BYTES,
        said: said(diagnostics),
        diagnostics,
      };
    },
    validate: async (config: Json) =>
      (
        await rpc.validateResourceConfig({
          typeName: TYPE,
          config: value(unsubscription(config)),
          clientCapabilities: undefined,
        })
      ).diagnostics,
  };
}
