/** The forms that declarations can have. */
export const FORMS = ["yaml", "hcl", "cdk"] as const;

export type Form = (typeof FORMS)[number];
