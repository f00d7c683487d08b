import { currentCaller } from '../caller/current-caller.ts'
import type { Call, Options } from '../contract/call.ts'

const actsFor: unique symbol = Symbol('client of the call')

/** A call of the server itself, without a client. */
export const serverCall = (): Call => ({ options: {}, byServer: true })

/**
 * The call that code of the application makes with these options; without any they are those of the current request. It
 * acts for a client only where the options are those of {@link optionsFor}.
 */
export function callOf(options: Options = currentCaller()): Call {
  if (!(actsFor in options)) return { options }
  const { [actsFor]: behind, ...own } = options as Options & { readonly [actsFor]?: Call } // only this module has this key
  return { options: own, client: behind?.client, grant: behind?.grant }
}

/**
 * The options for a function of the application that stands in for a built-in operation: data access that it passes
 * them on to acts for the client, as the operation would have. Copies of them do as well.
 */
export function optionsFor({ options, client, grant }: Call): Options {
  return client === undefined ? options : Object.assign({ ...options }, { [actsFor]: { client, grant } })
}

/**
 * A copy of the call without its client, for a step of the server's own: it is not restricted, and hooks receive the
 * same options.
 */
export function asServer({ options }: Call): Call {
  return { options: options.prohibitHiddenPropertiesInQuery === true ? withoutCheck(options) : options, byServer: true }
}

const withoutCheck = (options: Options): Options => ({ ...options, prohibitHiddenPropertiesInQuery: false })

/** A copy of the call that marks its data as already checked. */
export const acceptedCall = ({ options, client, grant }: Call): Call => ({ options, client, grant, isAccepted: true })

/** A copy of the call for reading records that are embedded in others. */
export function readingWithin(call: Call): Call {
  const { options, client, byServer } = call
  return {
    options,
    client,
    within: true,
    ...(byServer && { byServer }),
    // Read only by connectors that listen to it: most do not.
    get signal() {
      return call.signal
    }
  }
}
