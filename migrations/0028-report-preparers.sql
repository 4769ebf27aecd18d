-- Name and license that the user's reports name as the preparer: JSON, or null if none was entered.
alter table users add column report_preparer {{text}};
