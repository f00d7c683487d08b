import { format } from 'node:util'
import { isPlainObject } from '@modelwire/core/plugin'
import { refusingModule } from './refusing-module.ts'

const placeholder = /\{(\w+)\}/

const english = 'texts are English: use the text itself'

/**
 * A message in English. Two braces mark what is not translated; names in braces stand for values of an object, and the signs of
 * `util.format` for values.
 */
function formatMessage(message: string, ...values: readonly unknown[]): string {
  const [first] = values
  const text = message.replace(/\{\{|\}\}/g, '')
  if (values.length !== 1 || !isPlainObject(first) || !placeholder.test(text)) return format(text, ...values)
  return text.replaceAll(new RegExp(placeholder, 'g'), (whole, name: string) =>
    name in first ? String(first[name]) : whole
  )
}

type Write = (message: string, ...values: readonly unknown[]) => void

const writer =
  (write: (text: string) => void): Write =>
  (message, ...values) =>
    write(formatMessage(message, ...values))

/** `loopback/lib/globalize`: messages in English, whatever the language of the process. @see strong-globalize, index.js */
export function globalize(): object {
  const out = writer((text) => void process.stdout.write(`${text}\n`))
  const error = writer((text) => void process.stderr.write(`${text}\n`))
  const names = ['f', 't', 'm', 'format', 'formatMessage']
  const members = {
    ...Object.fromEntries(names.map((name) => [name, () => formatMessage])),
    Error:
      () =>
      (...args: Parameters<typeof formatMessage>) =>
        new Error(formatMessage(...args)),
    log: () => out,
    info: () => out,
    warn: () => error,
    error: () => error
  }
  return refusingModule('loopback/lib/globalize', members, {
    setLanguage: english,
    getLanguage: english,
    formatCurrency: 'use Intl.NumberFormat',
    formatDate: 'use Intl.DateTimeFormat'
  })
}
