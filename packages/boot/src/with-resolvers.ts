/** A promise and the functions that settle it. */
export interface Settling {
  readonly promise: Promise<void>
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/** Makes a promise and the functions that settle it. It need not be awaited: its rejection never counts as unhandled. */
export function withResolvers(): Settling {
  let settle: Omit<Settling, 'promise'> = { resolve: () => {}, reject: () => {} }
  const promise = new Promise<void>((resolve, reject) => {
    settle = { resolve, reject }
  })
  void Promise.allSettled([promise])
  return { promise, ...settle }
}
