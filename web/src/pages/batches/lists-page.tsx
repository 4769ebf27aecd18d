import { Page } from '../../parts/page.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { DeliveryList } from './deliveries/delivery-list.tsx';
import { JobList } from './jobs/job-list.tsx';

export function ListsPage() {
  return (
    <Page
      title="Batches"
      lead="Value many properties in the background. Each gets the same value as a single request."
      actions={
        <a class="button primary" href="/console/batches/new">
          Value a file
        </a>
      }
    >
      <Tabs
        label="Batches"
        tabs={[
          { name: 'jobs', label: 'Jobs', content: () => <JobList /> },
          { name: 'deliveries', label: 'Deliveries', content: () => <DeliveryList /> },
        ]}
      />
    </Page>
  );
}
