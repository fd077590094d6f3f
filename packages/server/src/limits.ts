// What clients are held to: how many requests at a time, and how long one may take. The defaults are kube-apiserver's.

export type Limits = {
  /** Of a request that is no watch: to its answer's first byte, and from then on between two writes that the reader takes. */
  requestTimeoutMs: number;
  /** A watch that doesn't say how long ends after this and twice this, at a time of its own. */
  minRequestTimeoutMs: number;
  /** Reading requests under way; 0: any number. */
  requestsInFlight: number;
  /** The same of those that change something. */
  mutatingRequestsInFlight: number;
};

export const DEFAULT_LIMITS: Limits = {
  requestTimeoutMs: 60_000,
  minRequestTimeoutMs: 1_800_000,
  requestsInFlight: 400,
  mutatingRequestsInFlight: 200,
};
