import type { ModelRegistry } from '@modelwire/core'
import { repository, serverCall } from '@modelwire/core/plugin'
import type { Settings } from '../options/settings.ts'
import { type Html, layout, linkTo, type Look, markup, tick } from './layout.ts'

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

/** A scope with its description. */
interface ShownScope {
  readonly name: string
  readonly description: string | undefined
}

/** A client as shown to users. */
export interface ShownClient {
  readonly name: string
  readonly uri?: unknown
  readonly policyUri?: unknown
  readonly termsUri?: unknown
}

/** The values of the consent page. */
export interface ConsentPage {
  /** Where the form is submitted. */
  readonly action: string
  readonly csrfToken: string
  /** Hidden fields of the form, such as `transaction_id`. */
  readonly fields: Readonly<Record<string, string>>
  readonly client: ShownClient
  /** The name of the signed-in user. */
  readonly userName: string
  readonly scopes: readonly ShownScope[]
  /** The recipient of the response: a host, or the scheme of an application. */
  readonly destination?: string | undefined
  /** Where another user can sign in; a form there signs out. */
  readonly switchAction?: string | undefined
  readonly returnTo?: string | undefined
  /** The code that a device shows, for comparison. */
  readonly userCode?: string | undefined
}

const initial = (name: string): string => Array.from(name.trim())[0] ?? '?'

function scopeItem({ name, description }: ShownScope): Html {
  const text = description === undefined ? markup`${name}` : markup`${description}<code>${name}</code>`
  return markup`<li>${tick}<span>${text}</span></li>`
}

function scopeList(scopes: readonly ShownScope[]): Html {
  if (scopes.length === 0) return markup`<p class="lead">It asks for no permission but to know that you allowed it.</p>`
  return markup`<h2 id="scopes">This will allow it to</h2>
    <ul class="scopes" aria-labelledby="scopes">
      ${scopes.map(scopeItem)}
    </ul>`
}

function signedInUser({ userName, switchAction, csrfToken, returnTo }: ConsentPage): Html {
  const other =
    switchAction !== undefined &&
    markup`<form method="post" action="${switchAction}">
      <input type="hidden" name="csrf_token" value="${csrfToken}" />
      ${returnTo !== undefined && markup`<input type="hidden" name="return_to" value="${returnTo}" />`}
      <button class="quiet" type="submit">Use another account</button>
    </form>`
  return markup`<div class="who">
    <span class="face" aria-hidden="true">${initial(userName)}</span>
    <div><small>Signed in as</small><strong>${userName}</strong>${other}</div>
  </div>`
}

const outside = (address: string | undefined, text: string): Html | undefined =>
  address === undefined ? undefined : markup`<a href="${address}" rel="noopener noreferrer" target="_blank">${text}</a>`

/** Documents of the client, and where the browser goes next. */
function footNote({ client, destination }: ConsentPage): Html {
  const links = [outside(linkTo(client.policyUri), 'Privacy'), outside(linkTo(client.termsUri), 'Terms')]
  const shown = links.filter((link) => link !== undefined).map((link) => markup` ${link}`)
  return markup`<p class="note">
    ${destination !== undefined && markup`You will be sent to <strong>${destination}</strong>.`}${shown}
  </p>`
}

function codeToCompare(userCode: string | undefined): Html | undefined {
  if (userCode === undefined) return undefined
  return markup`<h2>Your device must show this code</h2>
    <code class="big">${userCode}</code>`
}

/** The page on which a user allows or denies a client. */
export function consentPage(look: Look, page: ConsentPage): string {
  const { client, action, csrfToken, fields, userCode } = page
  const inputs = Object.entries({ csrf_token: csrfToken, ...fields }).map(
    ([name, value]) => markup`<input type="hidden" name="${name}" value="${value}" />`
  )
  return layout(
    look,
    `Allow ${client.name}?`,
    markup`<div class="pair" aria-hidden="true">
        <span class="face">${initial(client.name)}</span><span class="dots"></span>
        <span class="face">${initial(look.name)}</span>
      </div>
      <h1>${client.name} wants to use your account</h1>
      <p class="lead">Allow this only if you know the application and started this yourself.</p>
      ${codeToCompare(userCode)} ${signedInUser(page)} ${scopeList(page.scopes)}
      <form method="post" action="${action}">
        ${inputs}
        <div class="actions">
          <button class="primary" type="submit" name="decision" value="allow">Allow</button>
          <button type="submit" name="cancel" value="deny">Deny</button>
        </div>
      </form>
      ${footNote(page)}`
  )
}

/** Descriptions of scopes: from the model OAuthScope, else from the options, else the standard ones, else their names. */
export async function describeScopes(
  { registry, settings }: { readonly registry: ModelRegistry; readonly settings: Settings },
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
