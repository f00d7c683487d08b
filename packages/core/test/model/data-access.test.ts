import t from 'tap'
import { Model } from '@modelwire/core'
import { dataAccessMethods } from '@modelwire/core/plugin'

/** Methods of a class that are not other names of its methods; those call by name what they stand for. */
function methodsIn(owner: object): string[] {
  return Object.entries(Object.getOwnPropertyDescriptors(owner))
    .filter(([name, { value }]) => typeof value === 'function' && name !== 'constructor')
    .filter(([, { value }]) => !String(value).includes('placeOf(this'))
    .map(([name]) => name)
}

const synchronous = {
  ofModels: ['observe', 'removeObserver', 'clearObservers'],
  ofRecords: ['isNewRecord', 'getId', 'setAttributes', 'toJSON', 'toObject']
}

void t.test('every method of models and records gives a promise, or is known not to', async (t) => {
  const { ofModels, ofRecords } = dataAccessMethods
  t.strictSame(methodsIn(Model).toSorted(), [...ofModels, ...synchronous.ofModels].toSorted())
  t.strictSame(methodsIn(Model.prototype).toSorted(), [...ofRecords, ...synchronous.ofRecords].toSorted())
})
