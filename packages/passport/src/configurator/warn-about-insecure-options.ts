import type { ProviderOptions } from '../provider-options.ts'
import { oAuth2 } from '../schemes/redirecting.ts'
import { schemeOf } from '../schemes/scheme-table.ts'

/** What a provider leaves open by default. */
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

/** Called for a provider that is configured. */
export type WarnAboutInsecureOptions = (name: string, authScheme: string, options: ProviderOptions) => void

/** Warns once at the start what providers leave open, after the script that configures them. */
export function createInsecureOptionsWarning(warn: (message: string) => void): WarnAboutInsecureOptions {
  const found = new Map<string, string[]>()
  const warnAll = (): void => {
    for (const [what, names] of found) warn(`passport: ${names.join(', ')}: ${what}`)
    found.clear()
  }
  return (name, authScheme, options) => {
    const problems = open.filter(([isOpen]) => isOpen(options, authScheme))
    if (problems.length > 0 && found.size === 0) queueMicrotask(warnAll)
    for (const [, what] of problems) found.set(what, [...(found.get(what) ?? []), name])
  }
}
