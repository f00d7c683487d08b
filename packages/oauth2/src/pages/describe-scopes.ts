import { repository, serverCall } from '@modelwire/core/plugin'
import type { OAuth2Parts } from '../parts.ts'
import type { ShownScope } from './consent-page.ts'

/** Scopes that mean the same everywhere. @see OpenID Connect Core 1.0 sections 5.4 and 11 */
const standard: Readonly<Record<string, string>> = {
  openid: 'Know who you are on this server',
  profile: 'See your profile, such as your name',
  email: 'See your email address',
  address: 'See your postal address',
  phone: 'See your telephone number',
  offline_access: 'Keep this access while you are away'
}

const standardText = (scope: string): string | undefined =>
  Object.hasOwn(standard, scope) ? standard[scope] : undefined

/** Scopes in words: those of the model OAuthScope, else of the options, else the standard ones, else their names. */
export async function describeScopes(
  { registry, settings }: Pick<OAuth2Parts, 'registry' | 'settings'>,
  scopes: readonly string[]
): Promise<readonly ShownScope[]> {
  const model = registry.find('OAuthScope')
  const isStored = model?.collection !== undefined && scopes.length > 0
  const rows = isStored ? await repository.find(model, { where: { scope: { inq: [...scopes] } } }, serverCall()) : []
  const texts = new Map(rows.map((row) => [row['scope'], row['description']]))
  return scopes.map((name) => {
    const stored = texts.get(name)
    const own = typeof stored === 'string' && stored !== '' ? stored : settings.scopeTexts.get(name)
    return { name, description: own ?? standardText(name) }
  })
}
