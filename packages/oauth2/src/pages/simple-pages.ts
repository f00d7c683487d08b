import { type Html, layout, type Look, mark, markup, tick } from './layout.ts'

/** The values of the login page. */
export interface LoginPage {
  /** Where the form is submitted. */
  readonly action: string
  readonly csrfToken: string
  /** Where to go afterwards: a path of this server, validated. */
  readonly returnTo?: string | undefined
  readonly username?: string | undefined
  /** What went wrong the last time. */
  readonly problem?: string | undefined
}

const hidden = (name: string, value: string | undefined): Html | undefined =>
  value === undefined ? undefined : markup`<input type="hidden" name="${name}" value="${value}" />`

/** Connects a field to the text of its error. */
const faulty = (problem: string | undefined): Html | undefined =>
  problem === undefined ? undefined : markup` aria-invalid="true" aria-describedby="problem"`

const focus = markup` autofocus`

/** The values of the page for a device's code. */
export interface DevicePage {
  readonly action: string
  readonly csrfToken: string
  readonly userCode?: string | undefined
  readonly problem?: string | undefined
}

/** The page for entering the code that a device shows. @see RFC 8628 section 3.3 */
export function devicePage(look: Look, { action, csrfToken, userCode, problem }: DevicePage): string {
  return layout(
    look,
    problem === undefined ? 'Connect a device' : 'Error: connect a device',
    markup`<h1>Connect a device</h1>
      <p class="lead">Enter the code that your device shows.</p>
      ${problem !== undefined && markup`<p class="alert" id="problem" role="alert">${problem}</p>`}
      <form method="post" action="${action}">
        <input type="hidden" name="csrf_token" value="${csrfToken}" />
        <div class="field">
          <label for="user_code">Code</label>
          <input
            class="code"
            id="user_code"
            name="user_code"
            type="text"
            value="${userCode}"
            required
            maxlength="20"
            autocomplete="off"
            autocapitalize="characters"
            autocorrect="off"
            spellcheck="false"
            placeholder="XXXX-XXXX"
            autofocus
            aria-describedby="${problem === undefined ? 'hint' : 'problem hint'}"
            ${problem !== undefined && markup` aria-invalid="true"`}
          />
          <p class="hint" id="hint">Eight letters; upper or lower case does not matter.</p>
        </div>
        <div class="actions"><button class="primary" type="submit">Continue</button></div>
      </form>`
  )
}

function nameField({ username, problem }: LoginPage, isFirst: boolean): Html {
  return markup`<div class="field">
<label for="username">Email or user name</label>
<input id="username" name="username" type="text" value="${username}" required maxlength="320" autocomplete="username"
 autocapitalize="none" autocorrect="off" spellcheck="false"${isFirst && focus}${faulty(problem)}>
</div>`
}

function passwordField({ problem }: LoginPage, isFirst: boolean): Html {
  return markup`<div class="field">
<label for="password">Password</label>
<input id="password" name="password" type="password" required autocomplete="current-password"${isFirst && focus}${faulty(problem)}>
</div>`
}

/** The login page. */
export function loginPage(look: Look, page: LoginPage): string {
  const { action, csrfToken, returnTo, username, problem } = page
  const isNamed = Boolean(username)
  return layout(
    look,
    problem === undefined ? 'Sign in' : 'Error: sign in',
    markup`<h1>Sign in</h1>
<p class="lead">to continue with your ${look.name} account</p>
${problem !== undefined && markup`<p class="alert" id="problem" role="alert">${problem}</p>`}
<form method="post" action="${action}">
${hidden('csrf_token', csrfToken)}${hidden('return_to', returnTo)}
${nameField(page, !isNamed)}
${passwordField(page, isNamed)}
<div class="actions"><button class="primary" type="submit">Sign in</button></div>
</form>`
  )
}

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
        Go back to the application you came from and try again. If it happens again, send its developers these details:
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
