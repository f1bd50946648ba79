/** The comments on one pull or merge request, as one CI host keeps them. */
export interface CommentThread {
  /** Name in messages, such as `pull request #7 of acme/crm`. */
  readonly name: string;
  /** The request that creates a comment, and the one that updates it, without their bodies. */
  readonly requests: { readonly create: string; readonly update: string };
  /** Who the token writes as, in the form of `PostedComment.author`. */
  author(): Promise<string>;
  /** Page 1 has the oldest comments. */
  page(number: number): Promise<{ readonly comments: readonly PostedComment[]; readonly isLast: boolean }>;
  /** Null if the answer got lost, or the server failed: the comment may exist. */
  create(body: string): Promise<PostedComment | null>;
  update(id: number, body: string): Promise<void>;
  /** Does nothing if the comment is gone. */
  remove(id: number): Promise<void>;
}

export interface PostedComment {
  /** Grows with each new comment. */
  readonly id: number;
  readonly author: string;
  readonly body: string;
  /** Where a person reads it; null where the host does not tell. */
  readonly url: string | null;
}
