/** The version of the command, the provider and the package. */
export const VERSION = "0.1.0";
