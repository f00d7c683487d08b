/** The parent's requests to a server's process. Each question has one answer; they are asked one after the other. */
export type Question = 'restore' | 'memory' | 'start-profile' | 'stop-profile'

/** A message of a server's process. */
export type Message =
  | { readonly kind: 'ready'; readonly address: string; readonly facts?: unknown }
  | { readonly kind: 'done' }
  /** Bytes that are resident. */
  | { readonly kind: 'memory'; readonly bytes: number }
  /** A V8 CPU profile as JSON. */
  | { readonly kind: 'profile'; readonly json: string }
