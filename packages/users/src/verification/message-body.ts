import { resolve } from 'node:path'
import type { AccountParts } from '../accounts/account-parts.ts'
import { callWithOptions } from './call-with-options.ts'
import { methodIn, type Options, textOr, type VerifyOptions } from './verify-options.ts'

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => escapes[sign] ?? sign)
}

const defaultText = 'Confirm your email address by opening this link:\n{href}'

/** Renders a template. EJS is loaded for the first one, and takes no settings of its own from the options. */
async function render(template: string, options: VerifyOptions): Promise<string> {
  const { default: ejs } = await import('ejs')
  return ejs.renderFile(resolve(template), { ...options }, {})
}

/** The HTML of a message: what `templateFn` makes, else the EJS template of the application, else the text. */
async function htmlOf(
  parts: AccountParts,
  options: VerifyOptions,
  text: string,
  callOptions: Options
): Promise<string> {
  const own = methodIn(options, 'templateFn')
  if (own !== undefined) return textOr(await callWithOptions(parts, own, undefined, [options, callOptions]), '')
  const { template } = options
  if (typeof template === 'string') return render(template, { ...options, text })
  return escapeHtml(text).replaceAll('\n', '<br>')
}

/**
 * Text and HTML of a message. `{href}` in the text becomes the link; templates see all options.
 * @param options with `verifyHref`, the finished link
 * @param callOptions options of the call
 */
export async function messageBody(
  parts: AccountParts,
  options: VerifyOptions,
  callOptions: Options
): Promise<{ text: string; html: string }> {
  const text = textOr(options['text'], defaultText).replaceAll('{href}', () => textOr(options['verifyHref'], ''))
  return { text, html: await htmlOf(parts, { ...options, text }, text, callOptions) }
}
