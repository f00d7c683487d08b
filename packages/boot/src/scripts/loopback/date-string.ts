import { ScriptArgumentInvalid } from '@modelwire/loopback-express'

/** `loopback.DateString`: a date that keeps the text it was made from. */
class DateStringValue {
  readonly when: string

  constructor(value: unknown) {
    const text =
      value instanceof Date ? value.toISOString() : String(value instanceof DateStringValue ? value.when : value)
    if (Number.isNaN(Date.parse(text))) throw new ScriptArgumentInvalid(`DateString: "${text}" is not a date`)
    this.when = text
  }

  toString(): string {
    return this.when
  }

  toJSON(): string {
    return JSON.stringify({ when: this.when })
  }

  inspect(): string {
    return `DateString ${JSON.stringify({ when: this.when })}`
  }
}

/** The class as scripts call it, with or without `new`. Definitions use it as a type, by its name. */
export const DateString: unknown = new Proxy(DateStringValue, {
  apply: (target, _self, [value]: unknown[]) => new target(value),
  get: (target, key, receiver): unknown => (key === 'name' ? 'DateString' : Reflect.get(target, key, receiver))
})
