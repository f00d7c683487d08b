import { defineModel, type ModelsOf } from '@modelwire/core'
import { Type } from '@sinclair/typebox'
import { type Guarded, productRules } from './access-parts.ts'

/** What can be chosen of the models. */
export interface ModelChoices {
  /** `price` has an index. */
  readonly indexed: boolean
  /** Rules of products. */
  readonly guarded?: Guarded
  /** Ids are made as texts. */
  readonly textIds?: boolean
}

/** The models of the benchmark. */
export function defineModels({ indexed, guarded = 'none', textIds = false }: ModelChoices) {
  const key = { index: true }
  const exact = { dataType: 'decimal', dataPrecision: 10, dataScale: 2 }
  const Product = defineModel(
    'Product',
    Type.Object({
      name: Type.String(),
      description: Type.String(),
      price: Type.Number({ index: indexed }),
      inStock: Type.Boolean(),
      category: Type.String(),
      stock: Type.Integer(),
      tags: Type.Array(Type.String()),
      weight: Type.String({ postgresql: exact, mysql: exact }),
      created: Type.Date()
    }),
    {
      public: true,
      relations: { reviews: { type: 'hasMany', model: 'Review', foreignKey: 'productId' } },
      ...(guarded === 'none' ? {} : { acls: productRules[guarded] })
    }
  )
  const Review = defineModel(
    'Review',
    Type.Object({
      // All of them are ids of products, which no setting would say by itself: databases of LoopBack may hold their texts.
      productId: textIds ? Type.String({ ...key, mongodb: { dataType: 'ObjectID' } }) : Type.Integer(key),
      author: Type.String(),
      stars: Type.Integer(),
      text: Type.String(),
      created: Type.Date()
    }),
    { public: true }
  )
  return { Product, Review }
}

declare module '@modelwire/core' {
  interface Models extends ModelsOf<ReturnType<typeof defineModels>> {}
}
