import { andThen, type Awaitable, type Collection } from '@modelwire/core/connector'

/**
 * A collection with the methods of `like`, each of which is one of the collection that `choose` gives for the call.
 * @param choose gets a function that gives the signal of the read, which is made only when it is asked for
 */
export function forwardTo(
  like: Collection,
  choose: (signalOf: () => AbortSignal | undefined) => Awaitable<Collection>
): Collection {
  const forward = (name: keyof Collection): unknown => {
    // The collections have the same methods, which take what the caller gives.
    const call = (chosen: Collection, args: readonly unknown[]): unknown =>
      (chosen[name] as (...args: readonly unknown[]) => unknown)(...args)
    return (...args: readonly unknown[]) =>
      andThen(
        choose(() => signalIn(args[1])),
        (chosen) => call(chosen, args)
      )
  }
  // The keys of a collection are the names of its methods.
  const names = Object.keys(like) as (keyof Collection)[]
  const forwarding: unknown = Object.fromEntries(names.map((name) => [name, forward(name)]))
  // It has every method of a collection.
  return forwarding as Collection
}

function signalIn(options: unknown): AbortSignal | undefined {
  const isWith = typeof options === 'object' && options !== null && 'signal' in options
  return isWith && options.signal instanceof AbortSignal ? options.signal : undefined
}
