import { currentCaller } from '../caller/current-caller.ts'
import type { Call, Options } from '../contract/call.ts'

const actsFor: unique symbol = Symbol('client of the call')

/** A call of the server itself, on nobody's behalf. */
export const serverCall = (): Call => ({ options: {} })

/**
 * The call that code of the application makes with these options; without any they are those of the request at hand. It acts for
 * a client only where the options are those of {@link optionsFor}.
 */
export function callOf(options: Options = currentCaller()): Call {
  if (!(actsFor in options)) return { options }
  const { [actsFor]: behind, ...own } = options as Options & { readonly [actsFor]?: Call } // nobody else has this key
  return { options: own, client: behind?.client, grant: behind?.grant }
}

/**
 * The options for a function of the application that stands in for a built-in operation: data access that it hands them on to acts
 * for the client, as the operation would have. Copies of them do as well.
 */
export function optionsFor({ options, client, grant }: Call): Options {
  return client === undefined ? options : Object.assign({ ...options }, { [actsFor]: { client, grant } })
}

/** The same call for a step of the server's own: nothing is kept from it, and hooks are handed the same options. */
export function asServer({ options }: Call): Call {
  return { options: options.prohibitHiddenPropertiesInQuery === true ? withoutCheck(options) : options }
}

const withoutCheck = (options: Options): Options => ({ ...options, prohibitHiddenPropertiesInQuery: false })

/** The same call for data that was looked at already. */
export const acceptedCall = ({ options, client, grant }: Call): Call => ({ options, client, grant, isAccepted: true })

/** The same call for records that will lie within others. */
export function readingWithin(call: Call): Call {
  const { options, client } = call
  return {
    options,
    client,
    within: true,
    // Asked for when a connector listens: most do not.
    get signal() {
      return call.signal
    }
  }
}
