import type { ProviderOptions } from '../provider-options.ts'
import { oAuth2 } from '../schemes/redirecting.ts'
import { schemeOf } from '../schemes/scheme-table.ts'

/** What a provider leaves open by default. */
const open: readonly (readonly [(options: ProviderOptions, authScheme: string) => boolean, string])[] = [
  [
    ({ link, linkExisting }, authScheme) =>
      !link && linkExisting !== false && !['local', 'ldap'].includes(authScheme.toLowerCase()),
    'a first login takes over an existing account with the same user name or email address: set linkExisting to false'
  ],
  [
    ({ state, store, pkce }, authScheme) => schemeOf(authScheme) === oAuth2 && !state && !store && !pkce,
    'pages of any site can sign a browser in as somebody else: set state to true if the application has sessions'
  ]
]

/** Called for each configured provider. */
export type WarnAboutInsecureOptions = (name: string, authScheme: string, options: ProviderOptions) => void

/** Warns once at startup about insecure settings of providers, after the script that configures them. */
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
