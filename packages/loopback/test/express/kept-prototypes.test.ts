import t from 'tap'
import { createKeptPrototypes } from '#src/express/register-express.ts'

class Plain {
  name(): string {
    return 'plain'
  }
}

class Special extends Plain {
  special(): string {
    return 'special'
  }
}

class Given extends Plain {
  override name(): string {
    return 'given'
  }
}

void t.test('what was given comes first, what was there stays', (t) => {
  const prototypes = createKeptPrototypes()
  const object: Plain = new Special()
  prototypes.keep(object)
  Object.setPrototypeOf(object, Given.prototype)
  prototypes.restore(object)
  t.equal(object.name(), 'given')
  t.ok(object instanceof Special && object.special() === 'special')
  t.end()
})

const left: [string, Plain, object | undefined][] = [
  ['that extends the one before', new Plain(), Given.prototype],
  ['that is the one before', new Special(), undefined]
]

for (const [name, object, given] of left) {
  void t.test(`a prototype ${name} is left alone`, (t) => {
    const prototypes = createKeptPrototypes()
    prototypes.keep(object)
    if (given !== undefined) Object.setPrototypeOf(object, given)
    const before: unknown = Object.getPrototypeOf(object)
    prototypes.restore(object)
    t.equal(Object.getPrototypeOf(object), before)
    t.end()
  })
}
