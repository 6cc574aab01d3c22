#include "trainer/report/report_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/trainer/report/full_report.h"

namespace slice {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

size_t Count(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos;
       at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

TEST(ReportPageTest, ShowsEveryPart) {
  const std::string html = RenderReportHtml(FullReport());
  for (const char* part : {"slice on toys",
                           "abc123",
                           "10,099",
                           "a remark",
                           "98.77",
                           "Adamic-Adar",
                           "75.00",
                           "ROC",
                           "Precision and recall",
                           "Calibration",
                           "temperature 1.250",
                           "offset -0.500",
                           "Reliability by relation",
                           "Impossible links",
                           "Off-schema pairs",
                           "1.20",
                           "Static: node2vec",
                           "share 25.0 %",
                           "structural AUROC",
                           "Error by degree",
                           "user - item",
                           "0.812",
                           "Fidelity",
                           "0.210",
                           "node b receives 0.500 from node a",
                           "Context sizes",
                           "Distance of the ends",
                           "likes",
                           "Pre-training",
                           "97.00",
                           "Loss: training",
                           "node2vec",
                           "3 min 20 s",
                           "1024 MiB",
                           "held-out tags",
                           "0.625"}) {
    EXPECT_THAT(html, HasSubstr(part));
  }
}

TEST(ReportPageTest, NeedsNothingFromOutside) {
  const std::string html = RenderReportHtml(FullReport());
  for (const char* outside : {"http:", "https:", "src=", "href=\"/", "<script",
                              "url(", "@import", "nan", "inf\""}) {
    EXPECT_THAT(html, Not(HasSubstr(outside)));
  }
}

TEST(ReportPageTest, ContentsLeadToEverySection) {
  const std::string html = RenderReportHtml(FullReport());
  EXPECT_GT(Count(html, "<h2 id=\""), 10u);
  EXPECT_EQ(Count(html, "<h2 id=\""), Count(html, "<a href=\"#"));
  EXPECT_THAT(html, HasSubstr("<a href=\"#where-it-errs\">Where it errs"));
  EXPECT_THAT(html, HasSubstr("<h2 id=\"where-it-errs\">Where it errs"));
}

TEST(ReportPageTest, SaysHowManyLinksAndNonLinksThereAre) {
  EXPECT_THAT(RenderReportHtml(FullReport()),
              HasSubstr("1,200 links and 1,300 non-links. as in the file"));
}

TEST(ReportPageTest, AurocHasItsInterval) {
  EXPECT_THAT(RenderReportHtml(FullReport()), HasSubstr("98.77 ± "));
}

TEST(ReportPageTest, ABarBelowChanceIsNotEmpty) {
  TrainingReport report = FullReport();
  report.results[0].rows[2].metrics.auroc = 0.4;
  EXPECT_THAT(RenderReportHtml(report),
              HasSubstr("<span class=\"track below\" title=\"below chance\">"
                        "<i style=\"width:20.0%\">"));
}

TEST(ReportPageTest, CurvesNameTheirAuroc) {
  TrainingReport report = FullReport();
  report.roc = {{"slice, context", {{0, 0}, {1, 1}}},
                {"Adamic-Adar", {{0, 0}, {1, 1}}}};
  EXPECT_THAT(RenderReportHtml(report),
              HasSubstr("slice, context, AUROC 98.77"));
}

TEST(ReportPageTest, ExamplesAreDrawnAsNetworks) {
  EXPECT_THAT(RenderReportHtml(FullReport()),
              HasSubstr("node a −likes→ node b, weight 0.500"));
}

TEST(ReportPageTest, IsBalanced) {
  const std::string html = RenderReportHtml(FullReport());
  for (const char* tag : {"div", "table", "tr", "td", "th", "svg", "h2", "ul",
                          "dl", "ol", "li", "title", "p", "style"}) {
    const std::string name = tag;
    EXPECT_EQ(Count(html, "<" + name + ">") + Count(html, "<" + name + " "),
              Count(html, "</" + name + ">"))
        << name;
  }
}

TEST(ReportPageTest, NamesCannotBreakThePage) {
  TrainingReport report = FullReport();
  report.title = "<script>alert('x')</script>";
  report.groups[0].rows[0].name = "\"><img>";
  report.examples[0].tokens[0] = "a & b";
  const std::string html = RenderReportHtml(report);
  EXPECT_THAT(html, Not(HasSubstr("<script>")));
  EXPECT_THAT(html, Not(HasSubstr("<img>")));
  EXPECT_THAT(html, HasSubstr("&quot;&gt;&lt;img&gt;"));
  EXPECT_THAT(html, HasSubstr("a &amp; b"));
}

TEST(ReportPageTest, EmptyPartsAreLeftOut) {
  TrainingReport report;
  report.title = "nothing yet";
  const std::string html = RenderReportHtml(report);
  EXPECT_THAT(html, HasSubstr("nothing yet"));
  EXPECT_THAT(html, Not(HasSubstr("<h2>")));
  EXPECT_THAT(html, Not(HasSubstr("<svg")));
}

}  // namespace
}  // namespace slice
