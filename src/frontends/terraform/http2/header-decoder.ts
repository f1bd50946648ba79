import { decodeHuffman } from "./huffman.ts";

interface Field {
  readonly name: string;
  readonly value: string;
}

/** The size limit of the dynamic table: the default, because no setting changes it. */
const MAX_TABLE_BYTES = 4096;
/** The overhead that each field counts for. */
const FIELD_BYTES = 32;

/** Decodes the header blocks of one connection in their order (RFC 7541). */
export class HeaderDecoder {
  /** Newest first. */
  readonly #table: Field[] = [];
  #tableBytes = 0;
  #maxTableBytes = MAX_TABLE_BYTES;
  #block: Uint8Array = new Uint8Array();
  #at = 0;

  /** The value of the field `name`, or null. Throws for a malformed block: later blocks cannot be decoded then. */
  find(name: string, block: Uint8Array): string | null {
    this.#block = block;
    this.#at = 0;
    let found: string | null = null;
    while (this.#at < block.length) {
      const field = this.#next();
      if (field?.name === name) found = field.value;
    }
    return found;
  }

  /** Null for a change of the table's size. */
  #next(): Field | null {
    const first = this.#block[this.#at] ?? 0;
    if (first >= 0x80) return this.#entry(this.#integer(7));
    if (first >= 0x40) return this.#add(this.#literal(6));
    if (first < 0x20) return this.#literal(4);
    this.#maxTableBytes = this.#integer(5);
    if (this.#maxTableBytes > MAX_TABLE_BYTES) throw new Error("a header table is larger than allowed");
    this.#evict();
    return null;
  }

  #literal(prefixBits: number): Field {
    const index = this.#integer(prefixBits);
    return { name: index === 0 ? this.#text() : this.#entry(index).name, value: this.#text() };
  }

  #entry(index: number): Field {
    const field = index <= STATIC_TABLE.length ? STATIC_TABLE[index - 1] : this.#table[index - 1 - STATIC_TABLE.length];
    if (!field) throw new Error("a header is in no table");
    return field;
  }

  #add(field: Field): Field {
    this.#table.unshift(field);
    this.#tableBytes += sizeOf(field);
    this.#evict();
    return field;
  }

  #evict(): void {
    while (this.#tableBytes > this.#maxTableBytes) {
      const oldest = this.#table.pop();
      if (!oldest) return;
      this.#tableBytes -= sizeOf(oldest);
    }
  }

  /** An integer whose first bits are the last `prefixBits` of the next byte. */
  #integer(prefixBits: number): number {
    const most = (1 << prefixBits) - 1;
    let value = this.#byte() & most;
    if (value < most) return value;
    for (let shift = 0; shift <= 21; shift += 7) {
      const byte = this.#byte();
      value += (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw new Error("a header holds a number that is too large");
  }

  #text(): string {
    const isHuffman = (this.#block[this.#at] ?? 0) >= 0x80;
    const length = this.#integer(7);
    const bytes = this.#block.subarray(this.#at, this.#at + length);
    if (bytes.length < length) throw new Error("a header is cut off");
    this.#at += length;
    return isHuffman ? decodeHuffman(bytes) : String.fromCharCode(...bytes);
  }

  #byte(): number {
    const byte = this.#block[this.#at++];
    if (byte === undefined) throw new Error("a header is cut off");
    return byte;
  }
}

function sizeOf({ name, value }: Field): number {
  return name.length + value.length + FIELD_BYTES;
}

/** RFC 7541, Appendix A. */
const STATIC_TABLE: readonly Field[] = [
  ":authority",
  ":method GET",
  ":method POST",
  ":path /",
  ":path /index.html",
  ":scheme http",
  ":scheme https",
  ":status 200",
  ":status 204",
  ":status 206",
  ":status 304",
  ":status 400",
  ":status 404",
  ":status 500",
  "accept-charset",
  "accept-encoding gzip, deflate",
  ..."accept-language accept-ranges accept access-control-allow-origin age allow authorization cache-control".split(" "),
  ..."content-disposition content-encoding content-language content-length content-location content-range content-type".split(" "),
  ..."cookie date etag expect expires from host if-match if-modified-since if-none-match if-range if-unmodified-since".split(" "),
  ..."last-modified link location max-forwards proxy-authenticate proxy-authorization range referer refresh retry-after".split(" "),
  ..."server set-cookie strict-transport-security transfer-encoding user-agent vary via www-authenticate".split(" "),
].map((line) => {
  const [name = "", ...words] = line.split(" ");
  return { name, value: words.join(" ") };
});
