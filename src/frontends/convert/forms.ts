/** The forms that declarations can have. */
export const FORMS = ["yaml", "hcl", "cdk"] as const;

export type Form = (typeof FORMS)[number];

/** The languages of a program with constructs. */
export const CDK_LANGUAGES = ["typescript", "python"] as const;

export type CdkLanguageName = (typeof CDK_LANGUAGES)[number];
