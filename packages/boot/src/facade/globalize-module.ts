import { format as formatText } from 'node:util'
import { refusingModule } from './refusing-module.ts'

/** A text with its arguments in the places of `%s`, `%d` and `%j`; double braces around words that are not translated go. */
function format(text: string, ...args: readonly unknown[]): string {
  return formatText(text.replaceAll(/\{\{([\s\S]*?)\}\}/g, '$1'), ...args)
}

const writers = ['log', 'info', 'warn', 'error', 'debug'] as const

const other = 'texts are English: use the text itself'

/**
 * `loopback/lib/globalize`: what LoopBack writes its own messages with. There are no languages but English.
 * @see strong-globalize, lib/strong-globalize.js
 */
export function globalizeModule(): object {
  const written = writers.map((name) => [
    name,
    () =>
      (...args: Parameters<typeof format>) =>
        console[name](format(...args))
  ])
  return refusingModule(
    'loopback/lib/globalize',
    {
      f: () => format,
      format: () => format,
      formatMessage: () => format,
      t: () => format,
      m: () => format,
      Error:
        () =>
        (...args: Parameters<typeof format>) =>
          new Error(format(...args)),
      ...(Object.fromEntries(written) as Record<string, () => unknown>) // `fromEntries` gives any
    },
    {
      setLanguage: other,
      getLanguage: other,
      formatCurrency: 'use Intl.NumberFormat',
      formatDate: 'use Intl.DateTimeFormat'
    }
  )
}
