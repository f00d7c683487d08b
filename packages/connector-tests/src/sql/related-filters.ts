/** A condition as a client writes it. */
export type Where = Readonly<Record<string, unknown>>

/** Where a relation leads, by model. */
const relations: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  RelAuthor: {
    mentor: 'RelAuthor',
    pupils: 'RelAuthor',
    books: 'RelBook',
    shortBooks: 'RelBook',
    desk: 'RelDesk',
    favorites: 'RelBook',
    shelves: 'RelShelf'
  },
  RelBook: { author: 'RelAuthor', shelf: 'RelShelf', subjects: 'RelSubject', readers: 'RelAuthor' },
  RelDesk: {},
  RelShelf: { books: 'RelBook' },
  RelSubject: { books: 'RelBook' },
  RelLoan: { book: 'RelBook', reader: 'RelAuthor' }
}

/** Where filters begin. */
export const startingModels: readonly string[] = ['RelAuthor', 'RelBook', 'RelShelf', 'RelSubject', 'RelLoan']

const names = ['Ann', 'Bob', 'one', 'oak', 'art', null]
const operators: readonly Where[] = [
  { neq: 'Ann' },
  { inq: ['Ann', 'art', null] },
  { nin: ['Bob', 'oak'] },
  { regexp: '^[oA]' }
]

type Choose = <Item>(items: readonly [Item, ...Item[]] | readonly Item[]) => Item

/** Chooses as if by chance, and in the same way each time. */
function chooser(seed: number): Choose {
  let state = seed
  return <Item>(items: readonly Item[]): Item => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    // The index is below the length of a list that has items.
    return items[Math.floor((state / 2 ** 32) * items.length)] as Item
  }
}

const toOne: ReadonlySet<string> = new Set(['mentor', 'desk', 'author', 'shelf', 'book', 'reader'])

const comparisons: readonly Where[] = [
  { eq: 0 },
  { neq: 1 },
  { gt: 0 },
  { gte: 2 },
  { lt: 2 },
  { lte: 1 },
  { between: [1, 2] },
  { inq: [0, 2] },
  { nin: [0, 1] }
]

/** A condition by an operator of relations. */
function writeQuantified(choose: Choose, relation: string, below: Where): Where | null {
  if (toOne.has(relation)) return choose([{ some: below }, { none: below }, { eq: null }, { neq: null }, null])
  const comparison = choose(comparisons)
  return choose([
    { some: below },
    { none: below },
    { every: below },
    { count: comparison },
    { count: { ...comparison, where: below } },
    { some: below, count: choose([1, 2]) }
  ])
}

function writeWhere(choose: Choose, model: string, depth: number): Where {
  const related = Object.entries(relations[model] ?? {})
  const kind = choose(
    depth > 3 ? ['own'] : ['own', 'related', 'related', 'quantified', 'quantified', 'dotted', 'logic']
  )
  if (kind === 'logic')
    return {
      [choose(['and', 'or', 'nor'])]: [writeWhere(choose, model, depth + 1), writeWhere(choose, model, depth + 1)]
    }
  if (kind === 'own' || related.length === 0) return { name: choose<unknown>([...names, ...operators]) }
  const [relation, to] = choose(related)
  const below = writeWhere(choose, to, depth + 1)
  if (kind === 'quantified') return { [relation]: writeQuantified(choose, relation, below) }
  if (kind === 'related') return { [relation]: choose([below, below, {}]) }
  const [[key, value] = ['name', 'Ann']] = Object.entries(below)
  return Array.isArray(value) ? { [relation]: below } : { [`${relation}.${key}`]: value }
}

/** Conditions that reach into related records in many ways: with each model the same ones each time. */
export function relatedWheres(model: string, count: number): readonly Where[] {
  const choose = chooser(model.length * 7919 + 1)
  return Array.from({ length: count }, () => writeWhere(choose, model, 1))
}
