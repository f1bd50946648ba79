import type { BackendDefinition } from "../backend-definition.ts";

export const S3_BACKEND: BackendDefinition = {
  name: "s3",
  description: "An object in a bucket of S3, or of a compatible store.",
  schemes: ["s3"],
  settings: [
    { name: "bucket", kind: "text", description: "Name of the bucket. It must exist.", isRequired: true, examples: ["acme-states"] },
    {
      name: "key",
      kind: "text",
      description: "Key of the object that holds the state. The lock is another object, KEY.tflock.",
      isRequired: true,
      examples: ["crm/production.state.json"],
    },
    {
      name: "region",
      kind: "text",
      description: "Region of the bucket. With an endpoint, the default is us-east-1.",
      environment: ["AWS_REGION", "AWS_DEFAULT_REGION"],
      examples: ["eu-central-1"],
    },
    {
      name: "endpoint",
      kind: "text",
      description: "URL of a compatible store, without the bucket. Default: AWS in that region.",
      environment: ["AWS_ENDPOINT_URL_S3"],
      examples: ["https://s3.example.com"],
    },
    {
      name: "use_path_style",
      kind: "flag",
      description: "Whether requests go to ENDPOINT/BUCKET/KEY, and not to BUCKET.ENDPOINT/KEY. Default: true with an endpoint.",
    },
    {
      name: "server_side_encryption",
      kind: "text",
      description: "How the store encrypts the objects: AES256, aws:kms or aws:kms:dsse. Default: as the bucket says.",
      examples: ["aws:kms"],
    },
    { name: "kms_key_id", kind: "text", description: "Id, ARN or alias of the KMS key, for aws:kms and aws:kms:dsse." },
    {
      name: "credentials",
      kind: "secret",
      description:
        "The JSON of AWS's credential_process. Default: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, with AWS_SESSION_TOKEN for temporary credentials.",
    },
  ],
};
