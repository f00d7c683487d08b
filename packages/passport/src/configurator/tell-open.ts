import type { ProviderOptions } from '../provider-options.ts'
import { oAuth2 } from '../schemes/redirecting.ts'
import { schemeOf } from '../schemes/scheme-table.ts'

/** What a provider leaves open unless its options say otherwise. */
const open: readonly (readonly [(options: ProviderOptions, authScheme: string) => boolean, string])[] = [
  [
    ({ link, linkExisting }, authScheme) =>
      !link && linkExisting !== false && !['local', 'ldap'].includes(authScheme.toLowerCase()),
    'a first login becomes that of an account which exists under its user name or address: set linkExisting to false'
  ],
  [
    ({ state, store, pkce }, authScheme) => schemeOf(authScheme) === oAuth2 && !state && !store && !pkce,
    'pages of any site can sign a browser in as somebody else: set state to true where the application has sessions'
  ]
]

/** Hears of a provider that is configured. */
export type TellOpen = (name: string, authScheme: string, options: ProviderOptions) => void

/** Says once at the start what providers leave open, when the script that configures them has done so. */
export function createTellOpen(warn: (message: string) => void): TellOpen {
  const found = new Map<string, string[]>()
  const tell = (): void => {
    for (const [what, names] of found) warn(`passport: ${names.join(', ')}: ${what}`)
    found.clear()
  }
  return (name, authScheme, options) => {
    const told = open.filter(([isOpen]) => isOpen(options, authScheme))
    if (told.length > 0 && found.size === 0) queueMicrotask(tell)
    for (const [, what] of told) found.set(what, [...(found.get(what) ?? []), name])
  }
}
