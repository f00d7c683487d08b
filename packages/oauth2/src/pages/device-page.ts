import { layout, type Look } from './layout.ts'
import { markup } from './markup.ts'

/** What the page for a device's code shows. */
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
