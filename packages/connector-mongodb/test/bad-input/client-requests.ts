import * as fc from 'fast-check'
import type { InjectOptions } from 'fastify'

/** What a client puts below an operator of the database begins like this, and nothing else does. */
export const marker = 'below-an-operator'

const quoted = (text: string): string => JSON.stringify(text)
const operators =
  `$gt $ne $in $nin $not $regex $options $where $expr $function $exists $type $elemMatch $all $mod $text $search
  $jsonSchema $comment $or $and $nor $set $unset $inc $push $rename $setOnInsert $currentDate $oid $date $code $ref $id
  $numberLong $binary $regularExpression $lookup $merge $out $near $geoWithin $box $size $`.split(/\s+/)
const properties = ['id', '_id', 'name', 'price', 'tags', 'meta', 'place', 'parts', 'parentId', 'free']
const paths = [...properties, 'meta.a', 'tags.0', 'parts.n', 'place.lat', 'free.x.y', 'children.name', 'parent.name']
const odd = [
  '__proto__',
  'constructor',
  'a\0b',
  '',
  '.',
  'meta.',
  '.a',
  'a..b',
  '\ud800',
  'toString',
  'meta.$ne',
  'tags.$[]'
]
const texts =
  `$where $name $$ROOT $$CURRENT 5f0a5f0a5f0a5f0a5f0a5f01 5F0A5F0A5F0A5F0A5F0A5F01 twelve-bytes {"$gt":""} /.*/i ^(a+)+$
  (x|x)*y this.price>0 _bsontype ObjectId 1 a`.split(/\s+/)

const name = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...paths) },
  fc.constantFrom(...odd),
  fc.constantFrom(...operators)
)
const plain = fc.oneof(
  fc.constantFrom(...texts, ...odd).map(quoted),
  fc.constantFrom('null', 'true', '0', '-1.5', '1e999', '"2020-01-01"', '"1,2"', '{"lat":1,"lng":2}')
)

const { marked } = fc.letrec<{ marked: string }>((tie) => ({
  marked: fc.oneof(
    { maxDepth: 2 },
    fc.nat(9).map((at) => quoted(`${marker}-${at}`)),
    tie('marked').map((each) => `[${each}]`),
    fc.tuple(name, tie('marked')).map(([key, each]) => `{${quoted(key)}:${each}}`)
  )
}))

const below = (key: string, value: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  (key.startsWith('$') ? marked : value).map((each) => `${quoted(key)}:${each}`)

/** Any JSON, with operators of the database in it. */
const { json } = fc.letrec<{ json: string }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 3 },
    plain,
    fc.array(tie('json'), { maxLength: 3 }).map((items) => `[${items.join()}]`),
    fc
      .array(
        name.chain((key) => below(key, tie('json'))),
        { maxLength: 3 }
      )
      .map((parts) => `{${parts.join()}}`)
  )
}))

const ours = fc.constantFrom(
  'eq',
  'neq',
  'gt',
  'lte',
  'inq',
  'nin',
  'between',
  'like',
  'nilike',
  'regexp',
  'near',
  'options'
)
const operand = fc.oneof(
  json,
  fc.array(plain, { maxLength: 3 }).map((items) => `[${items.join()}]`)
)
const test = fc.oneof(
  json,
  fc.array(fc.tuple(ours, operand), { minLength: 1, maxLength: 2 }).map(objectOf),
  fc.constantFrom('{"near":"1,2","maxDistance":5}', '{"near":{"lat":1,"lng":2}}', '{"regexp":"/a.*/i"}')
)
const { where } = fc.letrec<{ where: string }>((tie) => ({
  where: fc.oneof(
    { maxDepth: 3 },
    fc
      .array(
        name.chain((key) => below(key, test)),
        { minLength: 1, maxLength: 2 }
      )
      .map((parts) => `{${parts.join()}}`),
    fc
      .tuple(fc.constantFrom('and', 'or', 'nor'), fc.array(tie('where'), { maxLength: 2 }))
      .map(([key, parts]) => `{"${key}":[${parts.join()}]}`)
  )
}))

function objectOf(entries: readonly (readonly [string, string])[]): string {
  return `{${entries.map(([key, value]) => `${quoted(key)}:${value}`).join()}}`
}

const relation = fc.constantFrom('children', 'parent', 'parts')
const scope = where.map((each) => `{"where":${each},"limit":2}`)
const filter = fc
  .array(
    fc.oneof(
      where.map((each) => `"where":${each}`),
      name.map((each) => `"order":${quoted(`${each} DESC`)}`),
      fc.array(name, { maxLength: 3 }).map((names) => `"fields":${JSON.stringify(names)}`),
      name.map((each) => `"fields":${objectOf([[each, 'true']])}`),
      fc.tuple(relation, scope).map(([each, inner]) => `"include":{"relation":"${each}","scope":${inner}}`),
      name.map((each) => `"include":${quoted(each)}`),
      fc.constantFrom(
        '"limit":2',
        '"skip":1',
        '"allowExtendedOperators":true',
        '"options":{"allowExtendedOperators":true}'
      )
    ),
    { maxLength: 3 }
  )
  .map((parts) => `{${parts.join()}}`)

/** Data that is accepted, of values that databases may take for something else. */
const accepted = fc
  .tuple(
    fc.constantFrom(
      '"tags":["$where"]',
      '"place":{"lat":1,"lng":2}',
      '"price":1',
      '"parentId":"5f0a5f0a5f0a5f0a5f0a5f01"'
    ),
    fc.constantFrom('name', 'meta', 'free', 'parts'),
    fc.constantFrom('a', 'constructor', 'toString', 'more'),
    fc.constantFrom(...texts).map(quoted)
  )
  .map(
    ([other, key, inner, value]) =>
      `{${other},${key === 'name' ? `"name":${value}` : `"${key}":[{"id":"1","${inner}":${value}}]`}}`
  )
const withId = fc
  .tuple(fc.constantFrom(...texts), accepted)
  .map(([each, more]) => `{"id":${quoted(each)},${more.slice(1)}`)

const hostile = fc
  .array(
    fc.oneof(
      name.chain((key) => below(key, json)),
      fc.constant('"options":{"allowExtendedOperators":true}')
    ),
    {
      minLength: 1,
      maxLength: 3
    }
  )
  .map((parts) => `{${parts.join()}}`)
const data = fc.oneof({ weight: 2, arbitrary: hostile }, accepted, withId)

const encoded = (text: string): string => encodeURIComponent(text.toWellFormed())

/** A condition in brackets. */
const bracket = fc.tuple(name, fc.option(name), plain).map(([key, inner, value]) => {
  const isBelow = key.startsWith('$') || inner?.startsWith('$') === true
  const keys = [key, ...(inner === null ? [] : [inner])].map((each) => `[${encoded(each)}]`).join('')
  return `filter[where]${keys}=${isBelow ? marker : encoded(value)}`
})

const query = fc.oneof(
  { weight: 4, arbitrary: filter.map((each) => `filter=${encoded(each)}`) },
  bracket,
  filter.map((each) => `filter=${encoded(each)}&allowExtendedOperators=true&options={"allowExtendedOperators":true}`)
)
const condition = where.map((each) => `where=${encoded(each)}`)
const id = fc.oneof(fc.constantFrom('first', '5f0a5f0a5f0a5f0a5f0a5f01'), plain).map((each) => encoded(each) || 'x')

const get = (url: string): InjectOptions => ({ url: `/api${url}` })
const send = (method: 'POST' | 'PUT' | 'PATCH', url: string, payload: string): InjectOptions => ({
  method,
  url: `/api${url}`,
  headers: { 'content-type': 'application/json', 'x-options': '{"allowExtendedOperators":true}' },
  payload
})

/** Requests of a client who would like to reach the database. */
export const clientRequest: fc.Arbitrary<InjectOptions> = fc.oneof(
  { weight: 3, arbitrary: query.map((each) => get(`/Items?${each}`)) },
  query.map((each) => get(`/Items/findOne?${each}`)),
  condition.map((each) => get(`/Items/count?${each}`)),
  fc.tuple(id, query).map(([each, asked]) => get(`/Items/${each}?${asked}`)),
  fc.tuple(id, relation, query).map(([each, to, asked]) => get(`/Items/${each}/${to}?${asked}`)),
  data.map((each) => send('POST', '/Items', each)),
  data.map((each) => send('POST', '/Items', `[{"name":"a"},${each}]`)),
  data.map((each) => send('PATCH', '/Items', each)),
  data.map((each) => send('PUT', '/Items', each)),
  fc.tuple(id, data).map(([each, patch]) => send('PATCH', `/Items/${each}`, patch)),
  fc.tuple(id, data).map(([each, patch]) => send('PUT', `/Items/${each}`, patch)),
  data.map((patch) => send('PATCH', '/Notes/first', patch)),
  fc.tuple(id, relation, data).map(([each, to, patch]) => send('POST', `/Items/${each}/${to}`, patch)),
  fc.tuple(id, id, data).map(([each, part, patch]) => send('PUT', `/Items/${each}/parts/${part}`, patch)),
  fc.tuple(condition, data).map(([each, patch]) => send('POST', `/Items/update?${each}`, patch)),
  fc.tuple(condition, data).map(([each, patch]) => send('POST', `/Items/upsertWithWhere?${each}`, patch)),
  plain.map((each): InjectOptions => ({ method: 'DELETE', url: `/api/Items/${encoded(each) || 'x'}` }))
)
