import { type Diagnostic, DiagnosticsError } from "../../model/diagnostic.ts";
import { parsedTimeMs } from "../../model/iso-time.ts";
import type { StateCopy, StateHistory } from "../state-store.ts";
import type { S3Client } from "./s3-client.ts";
import { notListed } from "./s3-errors.ts";
import { type S3Place, s3Name } from "./s3-place.ts";

/** The most lists of one object, of 1000 versions each. */
const MAX_PAGES = 100;

/** The versions of the state's object but the current one. A bucket without versioning has none. */
export function s3Versions(place: S3Place, client: S3Client): StateHistory {
  const { key } = place;
  const copyOf = ({ version, writtenAtMs }: S3Version): StateCopy => ({
    writtenAtMs,
    name: `version ${version} of ${s3Name(place.bucket, key)}`,
    read: async (signal) => {
      const got = await client.send({ method: "GET", key, query: { versionId: version } }, signal);
      return got.kind === "ok" ? got.body : null;
    },
    remove: async (signal) =>
      void (await client.send({ method: "DELETE", key, query: { versionId: version } }, signal)),
  });
  return {
    beyond: "replicas of the bucket, and versions that the store locks or has backed up",
    list: async (signal) => {
      const found: S3Version[] = [];
      let query: { readonly [name: string]: string } = { versions: "", prefix: key };
      for (let page = 0; page < MAX_PAGES; page++) {
        const got = await client.send({ method: "GET", key: "", query }, signal).catch((error: unknown) => {
          throw error instanceof DiagnosticsError
            ? new DiagnosticsError(error.diagnostics.map(withVersionRights), { cause: error })
            : error;
        });
        const xml = got.kind === "ok" ? new TextDecoder().decode(got.body) : "";
        if (!xml.includes("<ListVersionsResult")) break;
        found.push(...versionsIn(xml, key));
        const [marker, version] = ["NextKeyMarker", "NextVersionIdMarker"].map((name) => elementOf(xml, name));
        // The versions of the key itself come before those of longer keys.
        if (elementOf(xml, "IsTruncated") !== "true" || typeof marker !== "string" || marker !== key)
          return found.map(copyOf);
        query = {
          versions: "",
          prefix: key,
          "key-marker": marker,
          ...(version ? { "version-id-marker": version } : {}),
        };
      }
      throw new DiagnosticsError([notListed(place)]);
    },
  };
}

/** The rights in the detail: where it is only named, nobody shows a hint. */
function withVersionRights(one: Diagnostic): Diagnostic {
  if (one.code !== "state_denied") return one;
  return {
    ...one,
    detail: `${one.detail} Versions need s3:ListBucketVersions and s3:GetObjectVersion, and to delete them s3:DeleteObjectVersion.`,
  };
}

interface S3Version {
  readonly version: string;
  readonly writtenAtMs: number | null;
}

/** Without the current one, and without the markers of deletes, which hold nothing. */
function versionsIn(xml: string, key: string): readonly S3Version[] {
  return (xml.match(/<Version>[^]*?<\/Version>/g) ?? []).flatMap((element) => {
    const version = elementOf(element, "VersionId");
    const writtenAtMs = parsedTimeMs(elementOf(element, "LastModified") ?? "");
    return elementOf(element, "Key") === key && elementOf(element, "IsLatest") !== "true" && version
      ? [{ version, writtenAtMs }]
      : [];
  });
}

const ENTITIES: { readonly [name: string]: string } = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };

function elementOf(xml: string, name: string): string | null {
  const text = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
  const plain = (whole: string, entity: string): string =>
    ENTITIES[entity] ?? (/^#(?:x[\da-f]{1,6}|\d{1,7})$/i.test(entity) ? fromNumber(entity.slice(1)) : whole);
  return text?.replaceAll(/&(#?\w+);/g, plain) ?? null;
}

function fromNumber(digits: string): string {
  const code = /^x/i.test(digits) ? Number.parseInt(digits.slice(1), 16) : Number(digits);
  return code <= 0x10_ff_ff ? String.fromCodePoint(code) : "";
}
