import { modelwireDataProvider } from '@modelwire/react-admin'
import { Admin, Resource } from 'react-admin'
import { createRoot } from 'react-dom/client'
import { ProductEdit } from './product-edit.tsx'
import { ProductList } from './product-list.tsx'

const dataProvider = modelwireDataProvider('/api', { resources: { Products: { search: ['name', 'sku'] } } })

const page = document.querySelector('#admin')
if (page !== null)
  createRoot(page).render(
    <Admin dataProvider={dataProvider} title="The shop" disableTelemetry>
      <Resource name="Products" list={ProductList} edit={ProductEdit} recordRepresentation="name" />
      <Resource name="Categories" recordRepresentation="name" />
    </Admin>
  )
