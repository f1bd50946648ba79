/** The environment variables and the working folder of this process, as they are now. */
export function nodeSurroundings(): { readonly environment: { readonly [name: string]: string | undefined }; readonly folder: string } {
  return { environment: process.env, folder: process.cwd() };
}
