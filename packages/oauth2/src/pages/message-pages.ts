import { type Html, markup } from './markup.ts'
import { mark, tick } from './icons.ts'
import { layout, type Look } from './layout.ts'

/** The texts of an error page. */
export interface ErrorPage {
  /** The code, such as `invalid_request`. */
  readonly error: string
  readonly description?: string | undefined
  /** The id of the request, for support. */
  readonly requestId?: string | undefined
}

/** Messages of errors are parts of sentences. */
const asSentence = (text: string): string =>
  text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? '' : '.')

const fact = (name: string, value: string | undefined): Html | undefined =>
  value === undefined
    ? undefined
    : markup`<dt>${name}</dt>
        <dd><code>${value}</code></dd>`

/** The page for an error that cannot be sent to a client. */
export function errorPage(look: Look, { error, description, requestId }: ErrorPage): string {
  return layout(
    look,
    'Error',
    markup`<div class="sign bad">${mark}</div>
      <h1>This did not work</h1>
      <p class="lead">${asSentence(description ?? 'the request cannot be answered')}</p>
      <p>
        Go back to the application you came from and try again. If it happens again, tell its makers what stands here:
      </p>
      <dl>${fact('Error', error)}${fact('Request', requestId)}</dl>`
  )
}

/** The texts of a success page. */
export interface DonePage {
  readonly title: string
  readonly text: string
}

/** A page that reports success. */
export function donePage(look: Look, { title, text }: DonePage): string {
  return layout(
    look,
    title,
    markup`<div class="sign">${tick}</div>
      <h1>${title}</h1>
      <p class="lead">${text}</p>`
  )
}

/** The values of the logout page. */
export interface LogoutPage {
  readonly action: string
  readonly csrfToken: string
  /** Hidden fields of the form: the client's logout request. */
  readonly fields: Readonly<Record<string, string>>
  /** Where the browser goes afterwards: a host, or the scheme of an application. */
  readonly destination?: string | undefined
}

/** The page that asks whether to sign out. */
export function logoutPage(look: Look, { action, csrfToken, fields, destination }: LogoutPage): string {
  const inputs = Object.entries({ csrf_token: csrfToken, ...fields }).map(
    ([name, value]) => markup`<input type="hidden" name="${name}" value="${value}" />`
  )
  return layout(
    look,
    'Sign out',
    markup`<h1>Sign out?</h1>
      <p class="lead">Applications that you allowed keep their access; this browser has to sign in again.</p>
      <form method="post" action="${action}">
        ${inputs}
        <div class="actions"><button class="primary" type="submit">Sign out</button></div>
      </form>
      ${destination !== undefined && markup`<p class="note">You will be sent to <strong>${destination}</strong>.</p>`}`
  )
}
