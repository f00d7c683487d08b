import type { ModelRegistry, Models } from '@modelwire/core'

const authors = [
  { name: 'Ursula K. Le Guin', born: 1929 },
  { name: 'Italo Calvino', born: 1923 },
  { name: 'Wisława Szymborska', born: 1923 }
]

const books = [
  { isbn: '9780441478125', title: 'The Left Hand of Darkness', year: 1969, author: 0 },
  { isbn: '9780061054884', title: 'The Dispossessed', year: 1974, author: 0 },
  { isbn: '9780156453806', title: 'Invisible Cities', year: 1972, author: 1 },
  { isbn: '9780156439619', title: "If on a winter's night a traveler", year: 1979, author: 1 },
  { isbn: '9780156011464', title: 'View with a Grain of Sand', year: 1995, author: 2 }
]

const members = [
  { name: 'Ann Berger', email: 'ann@example.com' },
  { name: 'Jonas Weber', email: 'jonas@example.com' },
  { name: 'Mei Lin', email: 'mei@example.com' }
]

/** Fills a library that has no books, wholly or not at all. True when it did. */
export async function seed(models: ModelRegistry & Models): Promise<boolean> {
  const { Author, Book, Member } = models
  return models.transaction(async () => {
    if ((await Book.count()) > 0) return false
    const ids = (await Author.create(authors)).map(({ id }) => id)
    await Book.create(books.map(({ author, ...book }) => ({ ...book, authorId: ids[author] ?? 0 })))
    await Member.create(members)
    return true
  })
}
