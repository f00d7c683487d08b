import { NameRefused } from '@modelwire/core/plugin'
import { decodeFormText } from './decode-form-text.ts'

const name = '__proto__'

/**
 * Looks at the keys of a query string or form, `raw`. The parser leaves parameters named `__proto__` out, which is
 * safe; the client gets an error.
 * @throws {NameRefused} a key, or a part of one in brackets, is `__proto__`
 */
export function refusePrototypeKeys(raw: string): void {
  if (!raw.includes('%') && !raw.includes(name)) return
  if (raw.split('&').some(namesPrototype)) throw new NameRefused(`"${name}" is not allowed as a name`)
}

function namesPrototype(parameter: string): boolean {
  const written = parameter.split('=', 1)[0] ?? ''
  const key = written.includes('%') ? decodeFormText(written) : written
  return key.includes(name) && key.split(/[[\]]/).includes(name)
}
