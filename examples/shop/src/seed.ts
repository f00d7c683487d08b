import type { Models } from '@modelwire/core'

const categories = [
  { name: 'Garden', description: 'For beds, pots and balconies' },
  { name: 'Kitchen', description: 'For cooking and baking' },
  { name: 'Desk', description: 'For writing and drawing' },
  { name: 'Outdoor', description: 'For walks in any weather' }
]

type Line = readonly [
  sku: string,
  name: string,
  price: number,
  purchasePrice: number,
  categoryId: number,
  tags: string[],
  inStock?: boolean
]

const products: readonly Line[] = [
  ['GAR-001', 'Pruning shears', 24.5, 11.2, 1, ['steel', 'gift']],
  ['GAR-002', 'Watering can, 5 litres', 39, 17.8, 1, ['zinc']],
  ['GAR-003', 'Seed tin, twelve herbs', 18.9, 7.5, 1, ['gift', 'seeds']],
  ['GAR-004', 'Hand fork, ash handle', 16.5, 6.9, 1, ['wood', 'steel']],
  ['GAR-005', 'Bird house', 44, 20.1, 1, ['wood', 'gift'], false],
  ['KIT-001', 'Cast iron pan, 26 cm', 69, 31.4, 2, ['iron']],
  ['KIT-002', 'Bread knife', 34.5, 15.3, 2, ['steel']],
  ['KIT-003', 'Rolling pin, beech', 14.9, 5.2, 2, ['wood']],
  ['KIT-004', 'Pepper mill', 49, 22.8, 2, ['wood', 'gift']],
  ['KIT-005', 'Tea pot, one litre', 42, 18.6, 2, ['china', 'gift'], false],
  ['KIT-006', 'Linen tea towel', 9.9, 3.1, 2, ['linen']],
  ['DES-001', 'Fountain pen, fine', 58, 25.7, 3, ['steel', 'gift']],
  ['DES-002', 'Ink, midnight blue', 12.5, 4.4, 3, []],
  ['DES-003', 'Notebook, dotted', 17, 6.2, 3, ['paper']],
  ['DES-004', 'Pencils, set of twelve', 21, 8.8, 3, ['wood', 'gift']],
  ['DES-005', 'Desk lamp', 129, 66.1, 3, ['steel'], false],
  ['OUT-001', 'Vacuum flask', 36, 16.9, 4, ['steel']],
  ['OUT-002', 'Wool blanket', 89, 43.5, 4, ['wool', 'gift']],
  ['OUT-003', 'Pocket knife', 29.5, 13.1, 4, ['steel', 'gift']],
  ['OUT-004', 'Rain poncho', 54, 23.9, 4, []]
]

const customers = [
  { name: 'Ann Berger', email: 'ann@example.com', address: { street: 'Lindengasse 4', city: 'Vienna', country: 'AT' } },
  {
    name: 'Jonas Weber',
    email: 'jonas@example.com',
    address: { street: 'Am Hang 12', city: 'Jena', country: 'DE' },
    newsletter: true
  },
  { name: 'Mei Lin', email: 'mei@example.com', address: { street: 'Rue Haute 7', city: 'Namur', country: 'BE' } },
  { name: 'Piotr Nowak', email: 'piotr@example.com', newsletter: true }
]

const reviews = [
  { productId: 1, customerId: 1, stars: 5, text: 'Cuts roses like butter.' },
  { productId: 1, customerId: 3, stars: 4, text: 'Good, but the spring is stiff at first.' },
  { productId: 2, customerId: 2, stars: 3, text: 'Handsome. Drips a little.' },
  { productId: 6, customerId: 1, stars: 5, text: 'Will outlive me.' },
  { productId: 6, customerId: 4, stars: 4, text: 'Heavy, as it should be.' },
  { productId: 9, customerId: 3, stars: 2, text: 'The grind cannot be set fine enough.' },
  { productId: 12, customerId: 2, stars: 5, text: 'Writes at once, even after weeks.' },
  { productId: 18, customerId: 4, stars: 5, text: 'Warm without being heavy.' }
]

const orders = [
  {
    customerId: 1,
    lines: [
      { productId: 1, quantity: 1 },
      { productId: 3, quantity: 2 }
    ]
  },
  {
    customerId: 2,
    lines: [
      { productId: 12, quantity: 1 },
      { productId: 13, quantity: 3 }
    ]
  }
]

/** Fills an empty shop. */
export async function seed({ Category, Product, Customer, Review, Order }: Models): Promise<void> {
  await Category.create(categories)
  await Product.create(products.map(toProduct))
  await Customer.create(customers)
  await Review.create(reviews)
  await Order.create(orders)
}

function toProduct([sku, name, price, purchasePrice, categoryId, tags, inStock = true]: Line) {
  return { sku, name, price, purchasePrice, categoryId, tags, inStock }
}
