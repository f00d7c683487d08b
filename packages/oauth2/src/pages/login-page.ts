import { layout, type Look } from './layout.ts'
import { type Html, markup } from './markup.ts'

/** What the login page shows. */
export interface LoginPage {
  /** Where the form is sent. */
  readonly action: string
  readonly csrfToken: string
  /** Where to go afterwards: a path of this server, checked. */
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
