import { InvalidOption, isPlainObject } from '@modelwire/server'
import type { Problem, Rule, RuleContext } from './rule.ts'

/** Configuration of a rule, as in LoopBack's `validates…Of` methods. */
export interface RuleOptions {
  readonly message?: unknown
  readonly code?: string
  /** Skip the rule unless this is true: a function on the record, or the name of a property or method. */
  readonly if?: unknown
  readonly unless?: unknown
  readonly allowNull?: boolean
  readonly allowBlank?: boolean
  /** Checks every value except null and absent ones, including blank strings and lists, as JSON Schema does. */
  readonly asSchema?: boolean
  /** Accepts what is stored already: records may be older than the rule. */
  readonly onlyIfWritten?: boolean
  readonly [key: string]: unknown
}

/** The kinds of rules: LoopBack's, and `range` for minimum and maximum. */
export type RuleKind =
  | 'presence'
  | 'absence'
  | 'length'
  | 'numericality'
  | 'range'
  | 'inclusion'
  | 'exclusion'
  | 'format'
  | 'uniqueness'

/** Checks one value: returns a sub-code such as `min`, `''` for the rule as a whole, undefined if it is valid. */
type CheckValue = (value: unknown, options: RuleOptions) => string | undefined

/**
 * True for blank values: absent, null, empty string, empty list, NaN.
 * @see recording crud/required
 */
export function isBlank(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || Number.isNaN(value)) return true
  return Array.isArray(value) && value.length === 0
}

const lengthOf = (value: unknown): number => (typeof value === 'string' || Array.isArray(value) ? value.length : 0)

const checkLength: CheckValue = (value, { min, max, is }) => {
  const length = lengthOf(value)
  if (typeof min === 'number' && length < min) return 'min'
  if (typeof max === 'number' && length > max) return 'max'
  return typeof is === 'number' && length !== is ? 'is' : undefined
}

const checkNumber: CheckValue = (value, { int }) => {
  if (typeof value !== 'number' || Number.isNaN(value)) return 'number'
  return int === true && !Number.isInteger(value) ? 'int' : undefined
}

const checkRange: CheckValue = (value, { min, max, moreThan, lessThan, multipleOf }) => {
  if (typeof value !== 'number') return undefined
  if ((typeof min === 'number' && value < min) || (typeof moreThan === 'number' && value <= moreThan)) return 'low'
  if ((typeof max === 'number' && value > max) || (typeof lessThan === 'number' && value >= lessThan)) return 'high'
  return typeof multipleOf === 'number' && !isMultiple(value, multipleOf) ? 'step' : undefined
}

/** Leaves room for the last digits: 19.99 is a multiple of 0.01. */
function isMultiple(value: number, step: number): boolean {
  const count = value / step
  return Math.abs(count - Math.round(count)) <= Math.abs(count) * Number.EPSILON
}

const checkFormat: CheckValue = (value, { with: pattern }) => {
  const expression = pattern instanceof RegExp ? pattern : new RegExp(String(pattern))
  expression.lastIndex = 0
  return expression.test(String(value)) ? undefined : ''
}

const listIn = (options: RuleOptions): readonly unknown[] => (Array.isArray(options['in']) ? options['in'] : [])

/** Rules that look at one value. Those without `blanks` skip null and blank values. */
const valueChecks: Readonly<
  Record<Exclude<RuleKind, 'uniqueness'>, { check: CheckValue; message: string; blanks?: true }>
> = {
  presence: {
    check: (value, { asSchema, mayBeAbsent }) => {
      const isMissing =
        asSchema === true ? value === null || (value === undefined && mayBeAbsent !== true) : isBlank(value)
      return isMissing ? '' : undefined
    },
    message: "can't be blank",
    blanks: true
  },
  absence: { check: (value) => (isBlank(value) ? undefined : ''), message: "can't be set", blanks: true },
  length: { check: checkLength, message: 'has the wrong length' },
  numericality: { check: checkNumber, message: 'is not a number' },
  range: { check: checkRange, message: 'is out of range' },
  inclusion: {
    check: (value, options) => (listIn(options).includes(value) ? undefined : ''),
    message: 'is not included in the list'
  },
  exclusion: { check: (value, options) => (listIn(options).includes(value) ? '' : undefined), message: 'is reserved' },
  format: { check: checkFormat, message: 'is invalid' }
}

const subMessages: Readonly<Record<string, string>> = {
  min: 'is too short',
  max: 'is too long',
  is: 'has the wrong length',
  low: 'is too small',
  high: 'is too large',
  step: 'is not a multiple of the step',
  int: 'is not an integer',
  number: 'is not a number',
  blank: 'is blank',
  null: 'is null'
}

/** The message of a problem: the rule's own text, its text for the sub-code, or ours. */
function messageFor(options: RuleOptions, sub: string, otherwise: string): string {
  const { message } = options
  if (typeof message === 'string') return message
  const own = isPlainObject(message) ? message[sub] : undefined
  return typeof own === 'string' ? own : (subMessages[sub] ?? otherwise)
}

/** LB3: rules that scripts and `validations` state say no more than LoopBack does; pinned by remoting/validations. */
const listMessage = (options: RuleOptions): string =>
  options.asSchema === true ? `must be one of ${listIn(options).join(', ')}` : valueChecks.inclusion.message

const codeFor = (kind: string, options: RuleOptions, sub: string): string =>
  [options.code ?? kind, sub].filter(Boolean).join('.')

/** Evaluates `if` and `unless`. */
function applies(condition: unknown, record: Record<string, unknown>): boolean {
  if (typeof condition === 'function') return Boolean(condition.call(record))
  const named = typeof condition === 'string' ? record[condition] : condition
  return typeof named === 'function' ? Boolean(named.call(record)) : Boolean(named)
}

const isLeft = (property: string, { onlyIfWritten }: RuleOptions, { written }: RuleContext): boolean =>
  onlyIfWritten === true && written !== undefined && !Object.hasOwn(written, property)

const skipped = (options: RuleOptions, record: Record<string, unknown>): boolean =>
  (options.if !== undefined && !applies(options.if, record)) ||
  (options.unless !== undefined && applies(options.unless, record))

/** What is wrong with null and blank values: nothing where they are allowed, else LoopBack's sub-code. */
function blankProblem(value: unknown, options: RuleOptions): string | undefined | false {
  if (options.asSchema === true) return value === null || value === undefined ? undefined : false
  if (value === null || value === undefined || (isBlank(value) && !Number.isNaN(value))) {
    if (options.allowBlank === true || (value === null && options.allowNull === true)) return undefined
    return value === null ? 'null' : 'blank'
  }
  return false
}

/**
 * Makes a rule of one of LoopBack's kinds.
 * @throws {InvalidOption} the options lack what the kind needs
 * @see recording remoting/validations
 */
export function makeRule(kind: RuleKind, property: string, options: RuleOptions = {}): Rule {
  if (kind === 'uniqueness') return makeUniquenessRule(property, options)
  if ((kind === 'inclusion' || kind === 'exclusion') && !Array.isArray(options['in']))
    throw new InvalidOption(`${kind} of ${property} requires the option "in"`)
  if (kind === 'format' && options['with'] === undefined)
    throw new InvalidOption(`format of ${property} requires the option "with"`)
  const { check, message, blanks } = valueChecks[kind]
  return {
    property,
    kind,
    options,
    sync: true,
    check: (context) => {
      const { record } = context
      if (skipped(options, record) || isLeft(property, options, context)) return []
      const value = record[property]
      const blank = blanks === true ? false : blankProblem(value, options)
      const sub = blank === false ? check(value, options) : blank
      return sub === undefined
        ? []
        : [
            {
              property,
              code: codeFor(kind, options, sub),
              message: messageFor(options, sub, kind === 'inclusion' ? listMessage(options) : message)
            }
          ]
    }
  }
}

function makeUniquenessRule(property: string, options: RuleOptions): Rule {
  const scopedTo = [options['scopedTo']].flat().filter((name) => typeof name === 'string')
  return {
    property,
    kind: 'uniqueness',
    options,
    sync: false,
    check: async ({ record, isTaken }) => {
      if (skipped(options, record) || blankProblem(record[property], { allowBlank: true }) === undefined) return []
      const values = Object.fromEntries([property, ...scopedTo].map((name) => [name, record[name]]))
      const taken = await isTaken(values)
      return taken
        ? [{ property, code: codeFor('uniqueness', options, ''), message: messageFor(options, '', 'is not unique') }]
        : []
    }
  }
}

/** Waits until an asynchronous rule calls `done`, if it takes that, or resolves to something. */
async function runAsync<T>(run: (done: () => void) => unknown, takesDone: boolean, result: T): Promise<T> {
  let finish: (() => void) | undefined
  const called = new Promise<void>((resolve) => {
    finish = resolve
  })
  const value = await run(() => finish?.())
  if (takesDone && value === undefined) await called
  return result
}

/**
 * Makes a rule from a function that calls `err()` or `err(kind)` on a problem, with the record as `this`. An asynchronous
 * one calls `done()` at the end or returns a promise.
 */
export function makeCustomRule(
  property: string,
  validate: (this: unknown, err: (kind?: string) => void, done: () => void) => unknown,
  options: RuleOptions = {},
  async = false
): Rule {
  const kind = 'custom'
  const run = (record: Record<string, unknown>): readonly Problem[] | Promise<readonly Problem[]> => {
    const problems: Problem[] = []
    const err = (sub?: string) => {
      problems.push({
        property,
        code: codeFor(kind, options, typeof sub === 'string' ? sub : ''),
        message: messageFor(options, sub ?? '', 'is invalid')
      })
    }
    if (!async) {
      validate.call(record, err, () => {})
      return problems
    }
    return runAsync((done) => validate.call(record, err, done), validate.length > 1, problems)
  }
  return {
    property,
    kind,
    options,
    sync: !async,
    check: (context: RuleContext) => (skipped(options, context.record) ? [] : run(context.record))
  }
}

/** True for a rule that only reads the value of its property, synchronously. */
export function readsValueAlone({ kind, sync, options }: Rule): boolean {
  const isAlone = kind !== 'custom' && kind !== 'check'
  return sync && isAlone && options['if'] === undefined && options['unless'] === undefined
}
