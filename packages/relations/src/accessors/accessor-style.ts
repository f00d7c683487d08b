/** A method that answers later. */
export type AsyncMethod = (...args: unknown[]) => Promise<unknown>
/** A method as it is called: `boot` lets it take a callback. */
export type AccessorMethod = (...args: unknown[]) => unknown

/** How helpers on records are called. */
export interface AccessorStyle {
  /** Changes how a method that answers later is called. */
  readonly wrap?: (method: AsyncMethod) => AccessorMethod
  /** LoopBack's way: without arguments a helper gives at once what was included, or is embedded. */
  readonly readsAtOnce?: boolean
}

/** A method in the wanted style. */
export function styled(method: AsyncMethod, { wrap }: AccessorStyle): AccessorMethod {
  return wrap === undefined ? method : wrap(method)
}
