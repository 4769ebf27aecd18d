import { useRoute } from 'preact-iso/router';
import { Page } from '../../parts/page.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { useSession } from '../../shell/session-context.tsx';
import { DeliveryList } from './deliveries.tsx';
import { FilePage } from './file-page.tsx';
import { JobList } from './job-list.tsx';
import { JobPage } from './job-page.tsx';
import { UploadPage } from './upload-page.tsx';
import './batches.css';

/** `/batches`, `/batches/new`, `/batches/file/{id}`, `/batches/{job_id}`. */
export default function BatchesPage() {
  const { first, second } = useRoute().params;
  if (first === undefined || first === '') return <ListsPage />;
  if (first === 'new') return <UploadPage />;
  if (first === 'file' && second !== undefined) return <FilePage key={second} id={second} />;
  return <JobPage key={first} jobId={first} />;
}

function ListsPage() {
  const { isAdministrator } = useSession();
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
      {isAdministrator && (
        <p class="quiet small">
          To value every parcel of a market, open it under <a href="/console/markets">Markets</a>.
        </p>
      )}
    </Page>
  );
}
