// The commands that the connector may send, said once more as a grammar: where an operator may stand, and where a value. It
// does not ask where a value came from: a client's is a value, too.

type Part = Readonly<Record<string, unknown>>
type Check = (value: unknown, at: string) => void

/** A command has what none of the connector's has. */
export class ForeignPart extends Error {}

function refuse(value: unknown, at: string): never {
  throw new ForeignPart(`${at}: ${JSON.stringify(value)}`)
}

const isPlain = (value: unknown): value is Part =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

function entriesOf(value: unknown, at: string): readonly (readonly [string, unknown])[] {
  return isPlain(value) ? Object.entries(value) : refuse(value, at)
}

function itemsOf(value: unknown, at: string): readonly unknown[] {
  return Array.isArray(value) ? value : refuse(value, at)
}

/** The only value, or one of several. */
const only =
  (...known: readonly unknown[]): Check =>
  (value, at) => {
    if (!known.some((one) => JSON.stringify(one) === JSON.stringify(value))) refuse(value, at)
  }

const ofType =
  (type: 'string' | 'number' | 'boolean'): Check =>
  (value, at) => {
    if (typeof value !== type) refuse(value, at)
  }

/** What a field is compared with: no object, no list, nothing that is executed. */
const scalar: Check = (value, at) => {
  if (typeof value !== 'object' || value === null) return
  if (isPlain(value) || Array.isArray(value) || value instanceof RegExp) refuse(value, at)
  if (/^(?:Code|BSONRegExp|DBRef|MinKey|MaxKey)$/.test(String(Reflect.get(value, '_bsontype')))) refuse(value, at)
}

const scalars: Check = (value, at) => {
  for (const item of itemsOf(value, at)) scalar(item, at)
}

const isPath = (name: string): boolean =>
  name.split('.').every((step) => step !== '' && !step.startsWith('$') && !step.includes('\0') && step !== '__proto__')

const path = (name: string, at: string): void => (isPath(name) ? undefined : refuse(name, at))

const checkNot: Check = (value, at) =>
  isPlain(value) && '$type' in value
    ? only({ $type: 'array' }, { $type: ['object', 'array'] })(value, at)
    : checkTests(value, at)

const ofFields: Readonly<Record<string, Check>> = {
  $eq: scalar,
  $ne: scalar,
  $gt: scalar,
  $gte: scalar,
  $lt: scalar,
  $lte: scalar,
  $in: scalars,
  $nin: scalars,
  $not: checkNot,
  $type: only(10, 'number'),
  $exists: ofType('boolean'),
  $regex: ofType('string'),
  $options: only('i'),
  $size: only(0),
  $elemMatch: (value, at) => {
    const [first] = entriesOf(value, at)
    if (first !== undefined && Object.hasOwn(ofFields, first[0])) checkTests(value, at)
    else checkQuery(value, at)
  }
}

/** Operators of one field: a value by itself is none of the connector's. */
function checkTests(value: unknown, at: string): void {
  const tests = entriesOf(value, at)
  if (tests.length === 0) refuse(value, at)
  for (const [name, operand] of tests) (ofFields[name] ?? refuse)(operand, `${at}.${name}`)
}

const queries: Check = (value, at) => {
  for (const item of itemsOf(value, at)) checkQuery(item, at)
}

const inExpressions = new Set(
  `$let $in $cond $and $type $multiply $asin $sqrt $min $add $pow $sin $divide $degreesToRadians $subtract $cos $arrayElemAt
  $isArray $ne $gte $lte $ifNull`.split(/\s+/)
)
const words = new Set(['double', 'int', 'long'])

/** Of `near`: numbers and names of fields, none of which is a client's text but for the name of its property. */
const expression: Check = (value, at) => {
  if (typeof value === 'number' || value === null || words.has(String(value))) return
  if (typeof value === 'string') return path(value.replace(/^\$\$?/, ''), at)
  if (Array.isArray(value)) return value.forEach((item) => expression(item, at))
  for (const [name, part] of entriesOf(value, at)) {
    if (!inExpressions.has(name) && !['vars', 'in', 'lat', 'lng'].includes(name)) refuse(value, at)
    expression(part, at)
  }
}

function checkQuery(value: unknown, at: string): void {
  for (const [name, part] of entriesOf(value, at)) {
    if (name === '$and' || name === '$or' || name === '$nor') queries(part, `${at}.${name}`)
    else if (name === '$expr') expression(part, at)
    else {
      path(name, at)
      checkTests(part, `${at}.${name}`)
    }
  }
}

const numbersByPath: Check = (value, at) => {
  for (const [name, part] of entriesOf(value, at)) {
    path(name, at)
    only(1, -1)(part, at)
  }
}

/** What is stored: no name in it is an operator. */
const stored: Check = (value, at) => {
  if (Array.isArray(value)) return value.forEach((item) => stored(item, at))
  if (!isPlain(value)) return scalar(value, at)
  for (const [name, part] of Object.entries(value)) {
    if (name.startsWith('$') || name.includes('\0')) refuse(value, at)
    stored(part, `${at}.${name}`)
  }
}

const document: Check = (value, at) => {
  for (const [name] of entriesOf(value, at)) if (name.includes('.') || !isPath(name)) refuse(value, at)
  stored(value, at)
}

const changes: Readonly<Record<string, Check>> = {
  $set: document,
  $setOnInsert: document,
  $inc: document,
  $max: document
}

const change: Check = (value, at) => {
  const entries = entriesOf(value, at)
  if (!entries.some(([name]) => name.startsWith('$'))) return document(value, at)
  for (const [name, fields] of entries) (changes[name] ?? refuse)(fields, `${at}.${name}`)
}

const ownFields = ['__modelwire_distance', '__modelwire_place']

const stages: Readonly<Record<string, Check>> = {
  $match: checkQuery,
  $sort: numbersByPath,
  $project: numbersByPath,
  $skip: ofType('number'),
  $limit: ofType('number'),
  $unset: only(...ownFields.map((name) => [name]), ownFields[0], ownFields[1]),
  $group: only({ _id: 1, n: { $sum: 1 } }),
  $set: (value, at) => {
    for (const [name, part] of entriesOf(value, at)) {
      only(ownFields[0])(name, at)
      expression(part, at)
    }
  },
  $setWindowFields: (value, at) => {
    const { partitionBy, sortBy, output, ...others } = Object(value)
    only({})(others, at)
    only(...['$parentId', '$_id'].map((key) => ({ $cond: [{ $isArray: key }, null, key] })))(partitionBy, at)
    numbersByPath(sortBy, at)
    only({ [String(ownFields[1])]: { $documentNumber: {} } })(output, at)
  }
}

const pipeline: Check = (value, at) => {
  for (const stage of itemsOf(value, at))
    for (const [name, part] of entriesOf(stage, at)) (stages[name] ?? refuse)(part, `${at}.${name}`)
}

const listOf =
  (parts: Readonly<Record<string, Check>>): Check =>
  (value, at) => {
    for (const item of itemsOf(value, at))
      for (const [name, part] of entriesOf(item, at)) (parts[name] ?? refuse)(part, `${at}.${name}`)
  }

const bool = ofType('boolean')
const number = ofType('number')
const text = ofType('string')
const anything: Check = () => {}

/** The parts of commands, whichever of them. */
const ofCommands: Readonly<Record<string, Check>> = {
  find: text,
  aggregate: text,
  count: text,
  insert: text,
  update: text,
  delete: text,
  findAndModify: text,
  filter: checkQuery,
  query: checkQuery,
  sort: numbersByPath,
  projection: numbersByPath,
  fields: numbersByPath,
  pipeline,
  documents: (value, at) => itemsOf(value, at).forEach((item) => document(item, at)),
  updates: listOf({ q: checkQuery, u: change, multi: bool, upsert: bool }),
  deletes: listOf({ q: checkQuery, limit: only(0, 1) }),
  cursor: anything,
  lsid: anything,
  $db: text,
  limit: number,
  skip: number,
  batchSize: number,
  maxTimeMS: number,
  singleBatch: bool,
  allowDiskUse: bool,
  ordered: bool,
  new: bool,
  upsert: bool,
  remove: bool
}

/** @throws {ForeignPart} the command has an operator, a stage or an option that is not the connector's, or a value elsewhere than values stand */
export function checkCommand(command: Part): void {
  const [name = ''] = Object.keys(command)
  if (name === 'getMore' || name === 'killCursors') return
  if (!Object.hasOwn(ofCommands, name)) refuse(command, name)
  // However long a client's pattern would take, the server gives it up.
  if (typeof command['maxTimeMS'] !== 'number') refuse(command, name)
  for (const [part, value] of Object.entries(command)) {
    const check = name === 'findAndModify' && part === 'update' ? change : (ofCommands[part] ?? refuse)
    check(value, `${name}.${part}`)
  }
}
