/** The folder of the provider's journal, from the environment that Terraform passes on. */
export function journalFolder({ OUTREACH_JOURNAL: named, TF_DATA_DIR: data }: { readonly [variable: string]: string | undefined }): string {
  return named || `${data || ".terraform"}/outreach-journal`;
}
