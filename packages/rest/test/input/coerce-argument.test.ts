import { readFileSync } from 'node:fs'
import { InvalidArgument } from '@modelwire/core'
import type { ValueType } from '@modelwire/core/connector'
import * as fc from 'fast-check'
import t from 'tap'
import type { BodyFormat } from '#src/input/body-parsers.ts'
import { compileBodyCoercion, compileCoercion } from '#src/input/coerce-argument.ts'
import type { CoercionOptions, GeoPointParts } from '#src/input/coercion.ts'
import { parseForm, parseJson, parseQueryString } from '../fixtures/with-defaults.ts'

class GeoPoint {
  readonly lat: number
  readonly lng: number
  constructor({ lat, lng }: GeoPointParts) {
    this.lat = lat
    this.lng = lng
  }
}

const list = (kind: 'number' | 'string' | 'boolean' | 'date' | 'object'): ValueType => ({
  kind: 'array',
  items: { kind }
})
const types: Readonly<Record<string, ValueType>> = {
  string: { kind: 'string' },
  number: { kind: 'number' },
  integer: { kind: 'integer' },
  boolean: { kind: 'boolean' },
  date: { kind: 'date' },
  object: { kind: 'object' },
  array: { kind: 'array' },
  any: { kind: 'any' },
  geo: { kind: 'geopoint' },
  numbers: list('number'),
  strings: list('string'),
  booleans: list('boolean'),
  dates: list('date'),
  objects: list('object')
}

/** A recorded step of remoting/coerce-*: without `got` it was answered with 400. */
interface Step {
  readonly method: string
  /** source/type, for the source `path` with the value, and the query. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly got?: unknown
}

interface Request {
  readonly query: Readonly<Record<string, unknown>>
  readonly path: string | undefined
  readonly header: string | undefined
  readonly body: unknown
  readonly format: BodyFormat
}

const steps = JSON.parse(
  readFileSync(new URL('../../test/fixtures/coerce-steps.json', import.meta.url), 'utf8')
) as Step[]

function show(value: unknown): unknown {
  if (value === undefined || value === null) return String(value)
  if (value instanceof Date) return ['Date', value.toJSON()]
  if (Array.isArray(value)) return ['Array', value.map(show)]
  if (typeof value === 'number' && !Number.isFinite(value)) return ['number', String(value)]
  if (typeof value !== 'object') return [typeof value, value]
  const name = value.constructor === Object ? 'object' : value.constructor.name
  return [name, JSON.parse(JSON.stringify(value)) as unknown]
}

function readBody({ body, headers = {} }: Step): Pick<Request, 'body' | 'format'> {
  if (body === undefined) return { body: undefined, format: 'none' }
  if (headers['content-type'] === 'application/json') return { body: parseJson(body), format: 'json' }
  return { body: parseForm(body), format: 'form' }
}

function readRequest(step: Step, search: string, value: string | undefined): Request {
  const path = value === undefined ? undefined : decodeURIComponent(value)
  return { ...readBody(step), query: parseQueryString(search), path, header: step.headers?.['v'] }
}

/** What LoopBack does with the request: the sources, and their order when none is declared. */
function coerce(type: ValueType, source: string, { query, path, header, body, format }: Request): unknown {
  const shared = { name: 'v', makeGeoPoint: (parts: GeoPointParts) => new GeoPoint(parts) }
  const of = (from: CoercionOptions['source'], raw: unknown) => compileCoercion(type, { ...shared, source: from })(raw)
  const field = (body as { v?: unknown } | undefined)?.v
  const part = () => of(format === 'json' ? 'json' : 'form', field)
  if (source === 'body') return compileBodyCoercion(type, shared)(body, format)
  if (source === 'path') return of('path', path)
  if (source === 'query') return of('query', query['v'])
  if (source === 'header') return of('header', header)
  if (source === 'form') return part()
  if (field !== undefined) return part()
  return query['v'] === undefined ? of('header', header) : of('query', query['v'])
}

function replay(step: Step): unknown {
  const [route = '', search = ''] = step.path.split(/\?(.*)/s)
  const [source = '', name = '', value] = route.split('/')
  const result = coerce(types[name] as ValueType, source, readRequest(step, search, value))
  if (source === 'required' && result === undefined) throw new InvalidArgument('required')
  return show(result)
}

t.test('every recorded step of remoting/coerce-* comes out as recorded', async (t) => {
  for (const step of steps) {
    const title = `${step.method} ${step.path} ${step.headers ? JSON.stringify(step.headers) : ''} ${step.body ?? ''}`
    if ('got' in step) t.same(replay(step), step.got, title)
    else t.throws(() => replay(step), { code: 'INVALID_ARGUMENT' }, title)
  }
})

const cases: readonly (readonly [kind: string, source: CoercionOptions['source'], raw: unknown, shown: unknown])[] = [
  ['any', 'query', '-.5', ['number', -0.5]],
  ['any', 'query', '00.5', ['number', 0.5]],
  ['any', 'query', '5.', ['string', '5.']],
  ['any', 'query', '+5', ['string', '+5']],
  ['any', 'query', '123456789012345678.5', ['string', '123456789012345678.5']],
  ['any', 'query', '9007199254740991', ['number', 9007199254740991]],
  ['any', 'query', 'NULL', ['string', 'NULL']],
  ['any', 'query', ' [1]', ['string', ' [1]']],
  ['number', 'query', ' ', ['number', 0]],
  ['number', 'query', [''], ['number', 0]],
  ['integer', 'query', '0b11', ['number', 3]],
  ['date', 'query', '1.5', ['Date', '2001-01-05T00:00:00.000Z']],
  ['date', 'query', '-5', ['Date', '1969-12-31T23:59:59.995Z']],
  ['date', 'json', '12', ['Date', '2001-12-01T00:00:00.000Z']],
  ['date', 'json', 1.5, ['Date', '1970-01-01T00:00:00.001Z']],
  ['date', 'computed', new Date(5), ['Date', '1970-01-01T00:00:00.005Z']],
  ['array', 'query', ['', ''], ['Array', ['undefined', 'undefined']]],
  ['string', 'query', ['', ''], ['string', ',']],
  ['geo', 'query', { lat: '1', lng: '2' }, ['GeoPoint', { lat: 1, lng: 2 }]],
  ['geo', 'query', ' 1,0x10', ['GeoPoint', { lat: 1, lng: 16 }]],
  ['geo', 'json', { lat: 1, lng: 2, z: 3 }, ['GeoPoint', { lat: 1, lng: 2 }]],
  ['number', 'json', Infinity, ['number', 'Infinity']],
  ['object', 'computed', null, 'null']
]

t.test('values that nobody recorded are converted as LoopBack converts them', async (t) => {
  for (const [name, source, raw, shown] of cases) {
    const coercion = compileCoercion(types[name] as ValueType, {
      name: 'v',
      source,
      makeGeoPoint: (p) => new GeoPoint(p)
    })
    t.same(show(coercion(raw)), shown, `${name} from ${source} ${JSON.stringify(raw)}`)
  }
})

const refused: readonly (readonly [kind: string, source: CoercionOptions['source'], raw: unknown])[] = [
  ['date', 'query', '99999999999999999'],
  ['date', 'query', ['1', '2']],
  ['date', 'json', [0]],
  ['date', 'computed', new Date(Number.NaN)],
  ['boolean', 'query', ['1']],
  ['integer', 'query', 'Infinity'],
  ['number', 'json', Number.NaN],
  ['number', 'computed', '5'],
  ['object', 'computed', new Date(0)],
  ['geo', 'query', '{"lat":"1","lng":"2"}'],
  ['geo', 'query', '91,0'],
  ['geo', 'query', '0,181'],
  ['geo', 'query', '1,2,3'],
  ['geo', 'query', '1,'],
  ['geo', 'json', ['1', '2']],
  ['geo', 'json', 5]
]

t.test('values of the wrong type are refused with the name of the argument', async (t) => {
  for (const [name, source, raw] of refused) {
    const coercion = compileCoercion(types[name] as ValueType, { name: 'when', source })
    t.throws(
      () => coercion(raw),
      { code: 'INVALID_ARGUMENT', statusCode: 400, message: /"when" must be/ },
      `${name} ${source}`
    )
  }
})

const delimited: readonly (readonly [name: string, raw: unknown, value: unknown])[] = [
  ['array', '1|2,3', [1, 2, 3]],
  ['array', '1, 2', [1, ' 2']],
  ['array', '1,', [1, undefined]],
  ['array', '[1,2]', [1, 2]],
  ['array', '[1,', ['[1', undefined]],
  ['array', 'null', null],
  ['array', '', undefined],
  ['array', ['1,2', '3'], ['1,2', 3]],
  ['numbers', '1,2', [1, 2]],
  ['strings', '["a"],b', ['["a"]', 'b']],
  ['any', '1,2', '1,2']
]

t.test('delimiters separate the items of a list in one text', async (t) => {
  for (const [name, raw, value] of delimited) {
    const options = { name: 'v', source: 'query', delimiters: [',', /\|/] } as const
    t.same(compileCoercion(types[name] as ValueType, options)(raw), value, `${name} ${JSON.stringify(raw)}`)
  }
})

t.test('objects from brackets have the usual prototype', async (t) => {
  const query = parseQueryString('v[a][b]=1&v[c][]=2')
  const value = compileCoercion({ kind: 'object' }, { name: 'v', source: 'query' })(query['v']) as { a: object }
  t.same(value, { a: { b: '1' }, c: ['2'] })
  t.equal(Object.getPrototypeOf(value), Object.prototype)
  t.equal(Object.getPrototypeOf(value.a), Object.prototype)
})

t.test('names of the object model are refused unless the caller checks them', async (t) => {
  const texts = ['{"a":{"__proto__":{}}}', '{"constructor":1}', parseQueryString('v[prototype]=1')['v']]
  for (const kind of ['object', 'any', 'array'] as const) {
    for (const raw of texts) {
      const refusing = compileCoercion({ kind }, { name: 'v', source: 'query' })
      t.throws(() => refusing(raw), { code: 'PROPERTY_NAME_REFUSED' }, `${kind} ${JSON.stringify(raw)}`)
      const open = compileCoercion({ kind }, { name: 'v', source: 'query', refuseNames: false })
      t.doesNotThrow(() => open(raw), `${kind} ${JSON.stringify(raw)}`)
    }
  }
  t.throws(() => compileCoercion({ kind: 'any' }, { name: 'v', source: 'query' })('['.repeat(40) + ']'.repeat(40)), {
    code: 'LIMIT_EXCEEDED'
  })
})

t.test('a list passes for an object where it is allowed', async (t) => {
  for (const source of ['json', 'form'] as const) {
    const raw = source === 'json' ? [{ a: 1 }] : '[{"a":1}]'
    t.same(compileCoercion({ kind: 'model', model: 'M' }, { name: 'v', source, allowArray: true })(raw), [{ a: 1 }])
    t.throws(() => compileCoercion({ kind: 'model', model: 'M' }, { name: 'v', source })(raw), {
      code: 'INVALID_ARGUMENT'
    })
  }
})

t.test('no text makes a conversion throw anything but a 400', async (t) => {
  const text = fc.oneof(fc.string(), fc.json(), fc.double().map(String), fc.date({ noInvalidDate: false }).map(String))
  fc.assert(
    fc.property(fc.constantFrom(...Object.values(types)), text, (type, raw) => {
      try {
        compileCoercion(type, { name: 'v', source: 'query' })(raw)
      } catch (error) {
        t.equal((error as { statusCode?: number }).statusCode, 400)
      }
    })
  )
  t.pass()
})
