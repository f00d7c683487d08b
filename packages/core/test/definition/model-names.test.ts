import t from 'tap'
import { httpPath, pluralName } from '#src/definition/model-definition.ts'

// The recordings crud/plurals and crud/plurals-not. Paths know no case, so teeth may start with a small letter.
const plurals: Readonly<Record<string, string>> = {
  Address: 'Addresses',
  Analysis: 'Analyses',
  BookLoan: 'BookLoans',
  Box: 'Boxes',
  Bus: 'Buses',
  Category: 'Categories',
  Child: 'Children',
  City: 'Cities',
  Crisis: 'Crises',
  data_point: 'data_points',
  Datum: 'Data',
  Day: 'Days',
  Fish: 'Fishes',
  Hero: 'Heros',
  HTTPLog: 'HTTPLogs',
  Index: 'Indices',
  Information: 'Information',
  Journal: 'Journals',
  Leaf: 'Leafs',
  Leaflet: 'Leaflets',
  lowercase: 'lowercases',
  Man: 'Men',
  Matrix: 'Matrices',
  Media: 'Media',
  Money: 'Money',
  Mouse: 'Mice',
  News: 'News',
  Octopus: 'Octopuses',
  Ox: 'Oxen',
  Person: 'People',
  Photo: 'Photos',
  Quiz: 'Quizzes',
  Series: 'Series',
  Settings: 'Settings',
  Sheep: 'Sheep',
  Staff: 'Staffs',
  Status: 'Statuses',
  Tooth: 'teeth',
  Virus: 'Viruses',
  Focus: 'Focus',
  focus: 'focus'
}

t.test('names become plural as recorded', async (t) => {
  for (const [name, plural] of Object.entries(plurals)) t.equal(pluralName({ name }), plural)
})

const paths: readonly (readonly [definition: object, path: string])[] = [
  [{}, 'Books'],
  [{ plural: 'tomes' }, 'tomes'],
  [{ plural: 'old/tomes' }, 'old/tomes'],
  [{ plural: 'tomes', http: { path: '/shelf/' } }, 'shelf'],
  [{ http: { path: 'shelf/books' } }, 'shelf/books'],
  [{ http: {} }, 'Books']
]

t.test('http.path comes before plural, and plural before the name', async (t) => {
  for (const [definition, path] of paths) t.equal(httpPath({ name: 'Book', ...definition }), path)
})
