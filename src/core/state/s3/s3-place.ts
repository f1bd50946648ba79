import type { SecretSource } from "../../model/declaration.ts";

/** One state in a bucket, and how its store is reached. */
export interface S3Place {
  readonly bucket: string;
  /** The key of the state's object. */
  readonly key: string;
  readonly region: string;
  /** Where the keys of the bucket begin, with a slash at the end. */
  readonly base: string;
  /** The headers of every object that is written. */
  readonly encryption: { readonly [header: string]: string };
  /** Null where the environment has the credentials. */
  readonly credentials: SecretSource | null;
}

/** The name `s3://BUCKET/KEY`, with the key as it is: nothing in it is escaped. */
export function s3Name(bucket: string, key: string): string {
  return `s3://${bucket}/${key}`;
}
