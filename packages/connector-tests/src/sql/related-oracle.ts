import type { Row } from '@modelwire/core/connector'
import type { Where } from './related-filters.ts'
import { relatedRecords } from './related-models.ts'

type Related = (row: Row) => readonly Row[]

type Test = (row: Row) => boolean

/** Shelves have a scope: one that is gone is nowhere. */
const rowsOf = (model: string): readonly Row[] =>
  (relatedRecords[model] ?? []).filter((row) => model !== 'RelShelf' || row['name'] !== 'gone')

/** Records of a model whose property has one of the values. */
const having = (model: string, property: string, values: readonly unknown[]): readonly Row[] =>
  rowsOf(model).filter((row) => row[property] !== null && values.includes(row[property]))

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value])

const held =
  (model: string, key: string, target = 'id'): Related =>
  (row) =>
    having(model, target, listOf(row[key]))

const holders =
  (model: string, key: string, own = 'id'): Related =>
  (row) =>
    having(model, key, [row[own]])

const linked =
  (link: string, [from, to]: readonly [string, string], model: string): Related =>
  (row) =>
    having(
      model,
      'id',
      having(link, from, [row['id']]).map((each) => each[to])
    )

/** What each relation leads to, by the meaning of its declaration. */
const relations: Readonly<Record<string, Readonly<Record<string, readonly [to: string, related: Related]>>>> = {
  RelAuthor: {
    mentor: ['RelAuthor', held('RelAuthor', 'mentorId')],
    pupils: ['RelAuthor', holders('RelAuthor', 'mentorId')],
    books: ['RelBook', holders('RelBook', 'authorId')],
    shortBooks: [
      'RelBook',
      (row) => holders('RelBook', 'authorId')(row).filter(({ pages }) => typeof pages === 'number' && pages < 20)
    ],
    desk: ['RelDesk', holders('RelDesk', 'authorId')],
    favorites: ['RelBook', held('RelBook', 'favoriteIds')],
    shelves: ['RelShelf', held('RelShelf', 'shelfCodes', 'code')]
  },
  RelBook: {
    author: ['RelAuthor', held('RelAuthor', 'authorId')],
    shelf: ['RelShelf', held('RelShelf', 'shelfCode', 'code')],
    subjects: ['RelSubject', linked('RelSubjectRelBook', ['relBookId', 'relSubjectId'], 'RelSubject')],
    readers: ['RelAuthor', linked('RelLoan', ['bookId', 'readerId'], 'RelAuthor')]
  },
  RelShelf: { books: ['RelBook', holders('RelBook', 'shelfCode', 'code')] },
  RelSubject: { books: ['RelBook', linked('RelSubjectRelBook', ['relSubjectId', 'relBookId'], 'RelBook')] },
  RelLoan: {
    book: ['RelBook', held('RelBook', 'bookId')],
    reader: ['RelAuthor', held('RelAuthor', 'readerId')]
  }
}

const isWhere = (value: unknown): value is Where => typeof value === 'object' && value !== null && !Array.isArray(value)

const whereOf = (value: unknown): Where => (isWhere(value) ? value : {})

/** Comparisons of a value with an operand. An absent one differs from every other, and is neither less nor greater. */
const comparisons: Readonly<Record<string, (value: unknown, operand: unknown) => boolean>> = {
  eq: (value, operand) => value === operand,
  neq: (value, operand) => value !== operand,
  inq: (value, operand) => listOf(operand).includes(value),
  nin: (value, operand) => !listOf(operand).includes(value),
  gt: (value, operand) => Number(value) > Number(operand),
  gte: (value, operand) => Number(value) >= Number(operand),
  lt: (value, operand) => Number(value) < Number(operand),
  lte: (value, operand) => Number(value) <= Number(operand),
  between: (value, operand) => {
    const [low, high] = listOf(operand)
    return Number(value) >= Number(low) && Number(value) <= Number(high)
  },
  regexp: (value, operand) => typeof value === 'string' && new RegExp(String(operand)).test(value)
}

function compares(value: unknown, tests: unknown): boolean {
  if (!isWhere(tests)) return value === tests
  return Object.entries(tests).every(([name, operand]) => comparisons[name]?.(value, operand))
}

/** Tests of related records by operator. */
const quantifiers: Readonly<Record<string, (related: readonly Row[], model: string, operand: unknown) => boolean>> = {
  some: (related, model, operand) => related.some(testOf(model, whereOf(operand))),
  none: (related, model, operand) => !related.some(testOf(model, whereOf(operand))),
  every: (related, model, operand) => related.every(testOf(model, whereOf(operand))),
  eq: (related) => related.length === 0,
  neq: (related) => related.length > 0,
  count: (related, model, operand) => {
    const { where, ...tests } = isWhere(operand) ? operand : { eq: operand }
    return compares(related.filter(testOf(model, whereOf(where))).length, tests)
  }
}

function testRelated(related: readonly Row[], model: string, test: unknown): boolean {
  if (test === null) return related.length === 0
  const tests = Object.entries(whereOf(test))
  const isQuantified = tests.length > 0 && tests.every(([name]) => Object.hasOwn(quantifiers, name))
  if (!isQuantified) return related.some(testOf(model, whereOf(test)))
  return tests.every(([name, operand]) => quantifiers[name]?.(related, model, operand))
}

const logic: Readonly<Record<string, (parts: readonly boolean[]) => boolean>> = {
  and: (parts) => parts.every(Boolean),
  or: (parts) => parts.some(Boolean),
  nor: (parts) => !parts.some(Boolean)
}

function testOf(model: string, where: Where): Test {
  return (row) => Object.entries(where).every(([key, test]) => testEntry(model, row, key, test))
}

function testEntry(model: string, row: Row, key: string, test: unknown): boolean {
  const combine = logic[key]
  if (combine !== undefined) return combine(listOf(test).map((part) => testOf(model, whereOf(part))(row)))
  const [first = key, ...below] = key.split('.')
  const relation = relations[model]?.[first]
  if (relation === undefined) return compares(row[key] ?? null, test)
  const [to, related] = relation
  return testRelated(related(row), to, below.length === 0 ? test : { [below.join('.')]: test })
}

/** The ids of the records that match, found by going through all of them. */
export function matchingIds(model: string, where: Where): readonly unknown[] {
  return rowsOf(model)
    .filter(testOf(model, where))
    .map((row) => row['id'] ?? row['code'])
}
