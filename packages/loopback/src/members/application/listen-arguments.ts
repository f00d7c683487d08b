import { isFunction } from '../../callback-bridge.ts'

/** The arguments of `app.listen` in the forms that Node's servers accept. */
export interface WantedAddress {
  /** Only a callback was passed: the settings of the application apply. */
  readonly usesSettings: boolean
  readonly port?: number | undefined
  readonly host?: string | undefined
  /** The path of a Unix socket. */
  readonly path?: string | undefined
  readonly callback?: ((this: unknown) => void) | undefined
}

const portOf = (value: unknown): number | undefined =>
  (typeof value === 'number' || typeof value === 'string') && value !== '' && Number.isInteger(Number(value))
    ? Number(value)
    : undefined

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** `listen(port, host, backlog, callback)`, `listen(path, callback)`, `listen({ port, host, path }, callback)`, `listen(callback)`. */
export function listenArguments(args: readonly unknown[]): WantedAddress {
  const last = args.findLast((arg) => arg !== undefined)
  const callback = isFunction(last)
    ? function (this: unknown): void {
        last.call(this)
      }
    : undefined
  const [first, second] = args
  if (args.length === 0 || (args.length === 1 && isFunction(first))) return { usesSettings: true, callback }
  if (typeof first === 'object' && first !== null) {
    const { port, host, path } = first as { port?: unknown; host?: unknown; path?: unknown } // any object
    return { usesSettings: false, port: portOf(port), host: textOf(host), path: textOf(path), callback }
  }
  const port = portOf(first)
  const place = port === undefined ? { path: textOf(first) } : { port, host: textOf(second) }
  return { usesSettings: false, ...place, callback }
}
