import t from 'tap'
import { keepPerModel } from '#src/model/model-lineage.ts'
import { buildModels } from '../build-models.ts'

t.test('a value is made once for an object and a model, be it undefined', async (t) => {
  const registry = buildModels([{ name: 'Book' }, { name: 'Author' }])
  const [book, author] = [registry.typeOf('Book'), registry.typeOf('Author')]
  const keep = keepPerModel<string | undefined>()
  const made: (string | undefined)[] = []
  const make = (value: string | undefined) => () => {
    made.push(value)
    return value
  }
  const [first, second] = [{}, {}]
  t.equal(keep(first, book, make('a')), 'a')
  t.equal(keep(first, book, make('b')), 'a')
  t.equal(keep(first, author, make(undefined)), undefined)
  t.equal(keep(first, author, make('c')), undefined)
  t.equal(keep(second, book, make('d')), 'd')
  t.strictSame(made, ['a', undefined, 'd'])
})

t.test('what could not be made is tried again', async (t) => {
  const model = buildModels([{ name: 'Book' }]).typeOf('Book')
  const keep = keepPerModel<string>()
  const key = {}
  t.throws(() =>
    keep(key, model, () => {
      throw new TypeError('no')
    })
  )
  t.equal(
    keep(key, model, () => 'made'),
    'made'
  )
})
