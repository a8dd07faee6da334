"""Forty more pairs of rules in another style, of people and things and often passive, and odd ways to say no or a number."""

PARAPHRASES = [
    (
        "Quote the invoice number whenever you write to a supplier.",
        "Every message to a supplier has to mention its invoice number.",
    ),
    (
        "Patients' dosages are read back to the nurse prior to being filed.",
        "Read the dosage back to the nurse, then file it.",
    ),
    (
        "Weigh each parcel again if its declared weight looks wrong.",
        "When a parcel's declared weight seems off, it is to be reweighed.",
    ),
    (
        "Time zones: convert meeting times to the attendee's own.",
        "Meetings should be shown in each attendee's local time zone.",
    ),
    ("Branch names carry the ticket key.", "Put the key of the ticket into the name of the branch."),
    (
        "Before touching the schema, take a dump of the database.",
        "A database dump comes first whenever the schema is going to be altered.",
    ),
    (
        "Talk to guests in the language that they booked in.",
        "Use the booking language when replying to a guest.",
    ),
    (
        "Legal wording is for counsel: pass questions about contracts on.",
        "Contract questions get handed to counsel.",
    ),
    (
        "Cite the page of the handbook from which an answer was taken.",
        "Answers out of the handbook need the page cited.",
    ),
    (
        "Round prices to the nearest cent at the very end of the calculation.",
        "Only the final result of a price calculation is rounded to cents.",
    ),
    (
        "Let the lint step pass before opening a pull request.",
        "Pull requests are opened once linting is green.",
    ),
    (
        "Ask which warehouse is meant if a customer names just the city.",
        "A city alone is ambiguous; ask the customer for the warehouse.",
    ),
    ("Secrets belong in the vault and nowhere else.", "Store every secret in the vault."),
    ("Temperatures in reports are in Celsius.", "Write report temperatures as degrees Celsius."),
    (
        "Look at the calendar for public holidays when promising a delivery day.",
        "Delivery promises have to take public holidays into account.",
    ),
    (
        "Name the person who approved the discount in the order's notes.",
        "Order notes should say who approved a discount.",
    ),
    (
        "Regenerate the client after changing the protobuf files.",
        "Whenever protobuf definitions change, the client code has to be generated again.",
    ),
    (
        "Explain an abbreviation at its first appearance.",
        "Spell abbreviations out the first time they're used.",
    ),
    (
        "The tone towards mourning families is calm and brief.",
        "With families in mourning, write calmly and keep it short.",
    ),
    (
        "Escalate to a human agent when somebody mentions self-harm.",
        "Mentions of self-harm go straight to a human.",
    ),
]
NEGATIONS = [
    ("Staff may open a customer's mailbox.", "Staff may not open a customer's mailbox."),
    ("You can merge on a Friday afternoon.", "You can't merge on a Friday afternoon."),
    ("Gift orders ship with the invoice.", "Gift orders ship without the invoice."),
    ("Interns have access to payroll.", "Interns don't have access to payroll."),
    ("The assistant answers billing questions.", "The assistant does not answer billing questions."),
    ("A driver never leaves parcels at the door.", "A driver always leaves parcels at the door."),
    ("No screenshots in bug reports.", "Screenshots in bug reports."),
    ("Comments must explain what the code does.", "Comments must never explain what the code does."),
]
NUMBERS = [
    ("Wait two hours before reminding a candidate.", "Wait six hours before reminding a candidate."),
    ("Listen on port 8080.", "Listen on port 8443."),
    ("Discounts end at 10 %.", "Discounts end at 15%."),
    ("A refund above €1,000 needs a manager.", "A refund above €10,000 needs a manager."),
    ("Tag releases as v2.", "Tag releases as v3."),
    ("Files larger than 2.5 GB go to cold storage.", "Files larger than 25 GB go to cold storage."),
]
LOOK_ALIKES = [
    ("Call the customer before the technician leaves.", "Call the customer after the technician leaves."),
    ("Sort the list by surname.", "Sort the list by given name."),
    ("Bill the sender for customs.", "Bill the recipient for customs."),
    ("Keep logs on the primary server.", "Keep logs on the secondary server."),
    ("Import rows from the staging sheet.", "Export rows to the staging sheet."),
    ("The minimum order is one pallet.", "The maximum order is one pallet."),
]
PAIRS = [*PARAPHRASES, *NEGATIONS, *NUMBERS, *LOOK_ALIKES]
ODD_NEGATIONS = [
    ("Agents aren't to phone minors.", "Agents are to phone minors."),
    ("Phone calls weren't to be recorded.", "Phone calls were to be recorded."),
    ("You dont need a receipt.", "You need a receipt."),
    ("We cant ship to islands.", "We can ship to islands."),
    ("The shop wouldn't take coupons.", "The shop would take coupons."),
    ("None of the drafts leave the building.", "All of the drafts leave the building."),
    ("Neither the invoice nor the slip is signed.", "Both the invoice and the slip are signed."),
    ("A translator no longer signs the page.", "A translator signs the page."),
    ("DO NOT bundle returns.", "Bundle returns."),
    ("Refunds needn't be approved.", "Refunds need be approved."),
    ("The clerk did not sign.", "The clerk signed."),
    ("Nobody writes to the ledger by hand.", "Everybody writes to the ledger by hand."),
    ("Nothing is deleted without a ticket.", "Everything is deleted without a ticket."),
    ("Unverified links are posted.", "Verified links are posted."),
    ("It is not okay to guess.", "It is okay to guess."),
    ("Merge only when CI is green.", "Do not merge only when CI is green."),
    ("Logs mustn't hold names.", "Logs must hold names."),
]
ODD_NUMBERS = [
    ("Deliver at 10:00.", "Deliver at 22:00."),
    ("Prices hold until 2025-01-05.", "Prices hold until 2026-01-05."),
    ("Allow 5-10 retries.", "Allow 5-20 retries."),
    ("Print on A4.", "Print on A5."),
    ("Call again on the 3rd day.", "Call again on the 4th day."),
    ("Twenty-five guests fit the room.", "Twenty-six guests fit the room."),
    ("Keep 1 000 lines of log.", "Keep 10 000 lines of log."),
    ("Order ten thousand units.", "Order one thousand units."),
    ("Cool to -5 degrees.", "Cool to -15 degrees."),
    ("Give it 1.5 seconds.", "Give it 15 seconds."),
    ("Give it half an hour.", "Give it an hour."),
    ("Send a dozen samples.", "Send two dozen samples."),
    ("The second reviewer signs.", "The third reviewer signs."),
    ("The first reviewer signs.", "The second reviewer signs."),
    ("Use Python 3.11.", "Use Python 3.12."),
    ("Ask once.", "Ask twice."),
    ("Charge 20% VAT.", "Charge 7% VAT."),
    ("Rule 4b applies.", "Rule 5b applies."),
    ("Wait 10s.", "Wait 30s."),
]
NEITHER = [
    ("Ship at least two samples.", "Ship at most two samples."),
    ("Close the ticket first.", "Close the ticket last."),
    ("Delete the draft.", "Keep the draft."),
    ("Send it to Anna, not to Bob.", "Send it to Bob, not to Anna."),
    ("Prefer speed over accuracy.", "Prefer accuracy over speed."),
    ("Never mail; always phone.", "Never phone; always mail."),
    ("Do it for me.", "Do it with me."),
    ("Wait 10 s.", "Wait 10s."),
]
